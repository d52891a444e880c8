public import Drover
import Secrets

/// Ensures that Debian packages are installed, whatever their version: a package is never upgraded implicitly.
///
/// All missing ones are installed in one transaction, during which no package starts its own daemon: what runs is
/// for ``Service`` to say, once it is configured.
public struct Packages: Resource {
    private let packages: [String]

    public init(_ packages: [String]) {
        self.packages = packages
    }

    public var name: String { "packages \(packages.joined(separator: " "))" }

    public var questions: [any Fact] { packages.map(PackageVersion.init) }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let missing = try packages.filter { try facts[PackageVersion($0)] == nil }
        if missing.isEmpty { return [] }
        return [
            Change(
                "install \(missing.joined(separator: " "))", script: MaskedText(script(installing: missing)),
                mustFinish: true)
        ]
    }

    /// A policy-rc.d that says 101 keeps the packages' own scripts from starting anything. Should this script die
    /// before it takes it away again, the policy ends with it: it forbids only while its maker's process lives. A
    /// policy of the host's own is put aside meanwhile, and still asked afterwards.
    private func script(installing missing: [String]) -> String {
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
        [ "\$(cut -d ' ' -f 22 /proc/$$/stat 2>/dev/null)" != "$(cut -d ' ' -f 22 /proc/$$/stat)" ] || exit 101
        [ ! -x $own ] || exec $own "\$@"
        exit 0
        END_OF_POLICY
        chmod 755 $policy.new
        mv -f $policy.new $policy
        wait_for_lock='-o DPkg::Lock::Timeout=300'
        # Only the installation itself knows how to wait for a lock.
        patiently() {
            deadline=$(( $(date +%s) + 300 ))
            until said=$("$@" 2>&1); do
                case $said in
                *lock*) [ "$(date +%s)" -lt $deadline ] || { printf '%s\n' "$said"; return 1; } ;;
                *) printf '%s\n' "$said"; return 1 ;;
                esac
                sleep 1
            done
            printf '%s\n' "$said"
        }
        patiently dpkg --configure -a
        patiently apt-get -q update
        # Each package would have systemd read all units again; once afterwards is enough, and saves an eighth of the time.
        SYSTEMD_OFFLINE=1 apt-get -q -y $wait_for_lock --no-install-recommends \
            -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
            install -- \#(Shell.words(missing))
        systemctl daemon-reload
        """#
    }
}
