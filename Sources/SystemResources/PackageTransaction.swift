import Engine
import Secrets

/// What apt does for a ``Packages`` at once.
struct PackageTransaction {
    /// A package of which another version is installed than is wanted.
    struct Other {
        var package: Package
        var version: String
        var isHeld: Bool
    }

    /// Packages that come from this machine: what is to be installed, and all that this needs.
    struct Supplied {
        let supply: PackageSupply
        let numbers: [Int]

        var deliveries: [Delivery] { numbers.map(supply.delivery) }
        var packages: [String] { numbers.map { supply.entries[$0].package } }
        var size: Int { numbers.map { supply.entries[$0].size }.reduce(0, +) }
    }

    var supplied: Supplied?
    var missing: [Package] = []
    var others: [Other] = []
    var unwanted: [Package] = []

    var changes: [Change] {
        if missing.isEmpty, others.isEmpty, unwanted.isEmpty { return [] }
        var change = Change(
            summary, kind, script: script, mustFinish: true, isDisturbing: !(others.isEmpty && unwanted.isEmpty))
        change.deliveries = supplied?.deliveries ?? []
        return [change]
    }

    private var kind: Change.Kind {
        if missing.isEmpty && others.isEmpty { return .remove }
        return others.isEmpty && unwanted.isEmpty ? .create : .change
    }

    private var summary: String {
        let parts = [
            missing.isEmpty ? [] : ["install \(missing.map(\.word).joined(separator: " "))"],
            others.map {
                "change \($0.package.name) \($0.version) → \($0.package.word.dropFirst($0.package.name.count + 1))"
            },
            removed.isEmpty ? [] : ["remove \(removed.joined(separator: " "))"],
            purged.isEmpty ? [] : ["purge \(purged.joined(separator: " "))"],
        ]
        let origin = supplied.map {
            ["from \($0.numbers.count) files of \($0.supply.directory), \(($0.size + 1_048_575) / 1_048_576) MB"]
        }
        return (parts.joined() + (origin ?? [])).joined(separator: ", ")
    }

    private var removed: [String] { unwanted.filter { $0.wish == .absent }.map(\.name) }
    private var purged: [String] { unwanted.filter { $0.wish == .purged }.map(\.name) }

    /// What apt is to do.
    private var words: ShellText {
        guard let supplied else { return ShellText.words((missing + others.map(\.package) + unwanted).map(\.word)) }
        return ShellText.words(supplied.deliveries.map(\.path) + unwanted.map(\.word))
    }

    private var script: ShellText {
        """
        \(policy)
        \(unholding)\
        \(lists)
        \(commands)
        """
    }

    /// A policy-rc.d that says 101 keeps the packages' own scripts from starting anything. Should this script die
    /// before it takes it away again, the policy ends with it: it forbids only while its maker's process lives. A
    /// policy of the host's own is put aside meanwhile, and still asked afterwards.
    private var policy: ShellText {
        #"""
        export DEBIAN_FRONTEND=noninteractive
        policy=/usr/sbin/policy-rc.d
        own=$policy.before-drover
        if [ -e $policy ] && ! grep -q '^# drover:' $policy; then mv $policy $own; fi
        restore() { if [ -e $own ]; then mv -f $own $policy; else rm -f $policy; fi; }
        trap restore EXIT
        cat >$policy.new <<END_OF_POLICY
        #!/bin/sh
        # drover: no daemon is started by the installation of its package while this process lives.
        [ "\$(cut -d ' ' -f 22 /proc/$$/stat 2>/dev/null)" != "$(cut -d ' ' -f 22 /proc/$$/stat)" ] || \#(exception) exit 101
        [ ! -x $own ] || exec $own "\$@"
        exit 0
        END_OF_POLICY
        chmod 755 $policy.new
        mv -f $policy.new $policy
        """#
    }

    /// Who gets another version of a daemon that runs wants it to run.
    private var exception: ShellText {
        others.isEmpty ? "" : #"{ [ "\$2" = restart ] && systemctl is-active --quiet "\$1"; } ||"#
    }

    /// apt's lists are fetched again only when they are a day old or do not have what is wanted: a mirror that is far away
    /// takes seconds for that, a simulation always 0.2 s (measured). Their own time of change says when they last brought
    /// news; that of the directory in which they arrive says when they were last asked for.
    ///
    /// The simulation also tells what would be removed. What nobody has named stays.
    private var lists: ShellText {
        #"""
        \#(Apt.patiently)
        refresh() { \#(supplied == nil ? "patiently apt-get -q update; refreshed=yes" : "false"); }
        # It says what would be done, too.
        is_possible() { planned=$(apt-get -q --simulate \#(options) install -- \#(words) 2>&1); }
        refreshed=
        patiently dpkg --configure -a
        \#(supplied == nil ? #"[ -n "$(find /var/lib/apt/lists/partial -maxdepth 0 -mmin -1440 2>/dev/null)" ] &&"# : "") is_possible || {
            \#(supplied == nil ? "refresh" : ":")
            is_possible || {
                printf '%s\n' "$planned"
                for package in \#(words: (missing + others.map(\.package)).map(\.name)); do
                    [ -n "$(apt-cache policy "$package" 2>/dev/null)" ] ||
                        echo "no repository of this host has a package $package: is the name right, is its AptRepository declared before?"
                done
                exit 100
            }
        }
        others=$(printf '%s\n' "$planned" | while read -r verb package rest; do
            case $verb:\#(quoting: " " + unwanted.map(\.name).joined(separator: " ") + " ") in
            Remv:*" ${package%%:*} "*) ;;
            Remv:*) printf ' %s' "$package" ;;
            esac
        done)
        [ -z "$others" ] || { echo "this would also remove$others: name them too, as Package.absent, if they are to go"; exit 1; }
        """#
    }

    private var options: ShellText {
        "-y --no-install-recommends\(others.isEmpty ? "" : " --allow-downgrades") -o DPkg::Lock::Timeout=300 "
            + "-o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold"
            + (supplied == nil ? "" : " \(PackageTransaction.withoutRepositories)")
    }

    private static let withoutRepositories: ShellText =
        "-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root"

    /// A hold is a wish of people's, which stays, even when the transaction fails.
    private var unholding: ShellText {
        let held = others.filter(\.isHeld).map(\.package.name)
        if held.isEmpty { return "" }
        return """
            trap 'restore; apt-mark hold \(words: held) >/dev/null' EXIT
            apt-mark unhold \(words: held) >/dev/null

            """
    }

    /// What was installed because others need it may go with them, as ever.
    private var settling: ShellText {
        guard let supplied else { return "" }
        let automatic = Set(supplied.packages).subtracting((missing + others.map(\.package)).map(\.name))
        return (automatic.isEmpty ? "" : "patiently apt-mark -q auto \(words: automatic.sorted())\n")
            + "rm -rf -- \(quoting: PackageSupply.folder)\n"
    }

    /// What is no longer in the repository, because the lists are hours old, is found in new ones.
    private var commands: ShellText {
        // Each package would have systemd read all units again; once afterwards is enough, and saves an eighth of the time.
        // But nothing could be restarted either.
        let offline: ShellText = others.isEmpty ? "SYSTEMD_OFFLINE=1 " : ""
        return """
            # needrestart, which Ubuntu has, would restart daemons: that is up to those who declare them.
            carry_out() { \(offline)NEEDRESTART_SUSPEND=1 apt-get -q \(options) install -- \(words); }
            carry_out || { status=$?; [ -z "$refreshed" ] && refresh && carry_out || exit $status; }
            \(purged.isEmpty ? "" : "patiently dpkg --purge \(words: purged)\n")\
            \(settling)\
            systemctl daemon-reload
            """
    }
}
