import Foundation
import Testing

extension LabSnapshot {
    /// A host that the playbook `host-settings` has set up.
    fileprivate static let hostSettings = LabSnapshot(
        "settings", hosts: 1, source: #filePath,
        setUp: {
            let result = try await Command.run(TestLab.current.playbook("apply", "host-settings", "--yes"))
            try #require(result.status == 0, "\(result.everything)")
        }, settle: {})
}

/// The resources that are about a host as a whole.
@Suite("Resources of a host")
struct SystemResourceTests {
    private var lab: TestLab { TestLab.current }

    @Test("are applied as planned on a bare host, which reports what a container cannot have", .lab(of: 1))
    func apply() async throws {
        let result = try await run("apply", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        let applied = Steps.applied(in: result.output)
        #expect(applied.count > 35)
        // Drover sees whether the unit of a package is enabled only after its installation.
        #expect(applied.subtracting(Steps.planned(in: result.output)) == ["pg1: disable chrony"])
        for notice in ["vm.swappiness stays", "the kernel has no module no_such_module", "swap stays as it is"] {
            #expect(result.output.contains("note pg1: \(notice)"), "\(result.output)")
        }
        #expect(!result.everything.contains("canary"))
        try await expectInForce()
    }

    @Test("are converged after that, at the cost of few programs", .lab(from: .hostSettings))
    func secondRun() async throws {
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab)
        let result = try await run("apply", "--yes")
        let programs = try await trace.end()
        expectNothingChanged(result)
        // Six for the session, one for each of nine kinds of question, three more where texts are read, two to show the
        // kernel parameter that cannot be set.
        #expect(programs.count <= 20, "\(programs)")
    }

    @Test("are repaired exactly where changed by hand, and the additions of others stay", .lab(from: .hostSettings))
    func drift() async throws {
        try await lab.must(
            on: "pg1",
            """
            set -e
            groupmod --gid 2100 admins
            usermod --groups '' --shell /bin/sh ann
            usermod --password '$6$x$open' bob
            rm -r /srv/app
            echo 'ssh-ed25519 AAAAother other' >>/home/bob/.ssh/authorized_keys
            chmod 755 /home/ann/.ssh
            echo 'ssh-ed25519 AAAAother other' >>/home/ann/.ssh/authorized_keys
            systemctl enable --quiet --now chrony 2>/dev/null
            systemctl unmask --quiet systemd-tmpfiles-clean.timer
            sysctl --quiet net.ipv4.ip_forward=0
            sed -i 's/^fr_FR/# fr_FR/' /etc/locale.gen
            localedef --delete-from-archive fr_FR.utf8
            ln -sf /usr/share/zoneinfo/UTC /etc/localtime
            hostname other
            sed -i 's/controller/x/' /etc/hosts
            echo '10.9.9.9 mine' >>/etc/hosts
            nft add rule inet drover_test input tcp dport 23 drop
            nft add table inet theirs
            umount '/srv/two words'
            mount -o remount,dev /srv/memory
            sed -i 's/noauto/auto/' /etc/fstab
            echo '# by hand' >>/etc/fstab
            """)
        let plan = try await run("plan")
        #expect(
            Steps.planned(in: plan.output)
                == Set(
                    [
                        "set number 2100 → 2000 of group admins",
                        "set groups + admins, shell /bin/sh → /bin/bash of user ann",
                        "lock the password of user bob", "make home /srv/app of user app",
                        "set owner and mode of /home/ann/.ssh/authorized_keys",
                        "write /home/bob/.ssh/authorized_keys", "stop chrony", "disable chrony",
                        "mask systemd-tmpfiles-clean.timer", "set sysctl net.ipv4.ip_forward 0 → 1",
                        "write /etc/locale.gen", "generate locale fr_FR.UTF-8", "set time zone Europe/Berlin",
                        "set host name other → lab-host", "write neighbours in /etc/hosts",
                        "load nftables table test", "remount /srv/memory with size=1m,nodev", "mount /srv/two words",
                        "write /srv/later in /etc/fstab",
                    ].map { "pg1: \($0)" }), "\(plan.output)")
        let result = try await run("apply", "--yes")
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await run("apply", "--yes"))
        try await expectInForce()
        let others = try await lab.must(
            on: "pg1",
            "grep -Ec 'other|ann@|ann2@' /home/ann/.ssh/authorized_keys; tail -n 1 /etc/hosts /etc/fstab; nft list tables"
        )
        for line in ["3", "10.9.9.9 mine", "# by hand", "table inet theirs"] {
            #expect(others.linesOfOutput.contains(line), "\(others)")
        }
    }

    @Test("keep the packet filter in force when a new rule is wrong", .lab(from: .hostSettings))
    func wrongRules() async throws {
        let before = try await lab.must(on: "pg1", "cat /etc/drover/nftables/test.nft; nft list table inet drover_test")
        let result = try await run("apply", "--yes", "--rule", "tcp dport twenty drop")
        #expect(result.status == 3, "\(result.everything)")
        let after = try await lab.must(on: "pg1", "cat /etc/drover/nftables/test.nft; nft list table inet drover_test")
        #expect(after == before)
    }

    @Test("survive a loss of power", .lab(from: .hostSettings))
    func reboot() async throws {
        try await lab.fault("kill", "pg1")
        try await lab.fault("start", "pg1")
        expectNothingChanged(try await run("apply", "--yes"))
        try await expectInForce()
        #expect(try await lab.must(on: "pg1", "systemctl --failed --quiet") == "")
    }

    @Test("are taken back", .lab(from: .hostSettings))
    func undo() async throws {
        let result = try await run("apply", "--yes", "--undo")
        #expect(result.status == 0, "\(result.everything)")
        let rest = try await lab.must(
            on: "pg1",
            "grep srv /proc/mounts /etc/fstab; grep controller /etc/hosts; wc -c </home/bob/.ssh/authorized_keys")
        #expect(rest == "0\n")
        expectNothingChanged(try await run("apply", "--yes", "--undo"))
    }

    /// Looks at the host without Drover.
    private func expectInForce(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let state = try await lab.must(
            on: "pg1",
            """
            id ann; id bob; id app
            getent shadow ann | cut -d : -f 2
            getent shadow bob | cut -d : -f 2 | cut -c 1
            stat -c '%U:%G %a %n' /home/ann /srv/app /home/ann/.ssh/authorized_keys
            systemctl is-enabled chrony systemd-tmpfiles-clean.timer || :
            LC_ALL=fr_FR.UTF-8 locale charmap; LC_ALL=de_DE.UTF-8 locale charmap; cat /etc/default/locale
            date -d @0 +%Z; readlink /etc/localtime; hostname; getent hosts controller; getent hosts lab-host
            nft list set inet drover_test blocked | grep elements
            findmnt -rn -o TARGET,FSTYPE,OPTIONS /srv/memory; findmnt -rn -o TARGET '/srv/two words'
            cat /proc/sys/net/ipv4/ip_forward
            su app -s /bin/sh -c 'ulimit -n'
            """)
        #expect(
            state.linesOfOutput == [
                "uid=2001(ann) gid=2001(ann) groups=2001(ann),2000(admins)",
                "uid=2002(bob) gid=2000(admins) groups=2000(admins),4(adm)",
                "uid=999(app) gid=997(web) groups=997(web)",
                "$6$salt$Qcanary", "!",
                "ann:ann 700 /home/ann", "app:web 700 /srv/app", "ann:ann 600 /home/ann/.ssh/authorized_keys",
                "disabled", "masked", "UTF-8", "UTF-8", "LANG=en_US.UTF-8",
                "CET", "/usr/share/zoneinfo/Europe/Berlin", "lab-host", "10.70.0.1       controller",
                "127.0.1.1       lab-host.example lab-host", "\t\telements = { 192.0.2.1, 192.0.2.2 }",
                #"/srv/memory tmpfs rw,nodev,relatime,size=1024k"#, #"/srv/two\x20words"#, "1", "4096",
            ], sourceLocation: sourceLocation)
    }

    /// Runs the playbook of the tests on the lab's one host.
    private func run(_ verb: String, _ options: String...) async throws -> Command {
        try await Command.run(lab.playbook(verb, "host-settings") + options)
    }
}
