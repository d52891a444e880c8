import Foundation
import Testing

/// The resources about files, packages and what is made of files, on a host: applied, applied again, drifted, repaired.
@Suite("File resources", .serialized, .lab(of: 1))
struct FileResourceTests {
    private var lab: TestLab { TestLab.current }

    /// Where the key and the archive are, on this machine.
    private var folder: String { "\(lab.folder)/files" }

    private func run(_ verb: String, _ options: String...) async throws -> Command {
        try await Command.run(lab.playbook(verb, "file-resources", "--folder", folder) + options)
    }

    private func apply() async throws -> Command { try await run("apply", "--yes") }

    // MARK: A fresh host

    @Test("all is made as the plan says, and no secret is seen")
    func fresh() async throws {
        try await SampleRepository.make(in: folder)
        try await SampleRepository.push(from: folder, to: "pg1", of: lab)
        try await lab.must(on: "pg1", "mkdir -p /srv/old/deep && echo kept >/srv/old/deep/file && touch /srv/too-much")
        let plan = try await run("plan", "--detailed-exitcode")
        #expect(plan.status == 2, "\(plan.everything)")
        for expected in [
            "write /etc/apt/sources.list.d/drover-test.sources", "install curl drover-sample=1.*, purge less",
            "make the link /srv/it's a test/link → whole",
            "put the line 'token=‹secret›' into /srv/it's a test/secrets",
            "+UseDNS no", "run say it", "enable drover-test.timer",
        ] {
            #expect(plan.output.contains(expected), "\(expected)\n\(plan.output)")
        }
        let result = try await apply()
        try #require(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == Steps.planned(in: plan.output))
        #expect(!(plan.everything + result.everything).contains("lab-file-secret"))
    }

    @Test("it is as declared")
    func state() async throws {
        let checks = [
            "[ \"$(dpkg-query -Wf '${Version}' drover-sample)\" = 1.1 ]", "apt-mark showhold | grep -qx drover-sample",
            "[ ! -e /usr/bin/less ]", "[ \"$(readlink \"/srv/it's a test/link\")\" = whole ]", "[ ! -e /srv/old ]",
            "sshd -T | grep -qx 'usedns no'",
            "[ \"$(cat /opt/pushed/bin/tool)\" = tool ]", "[ -x /opt/fetched/tool-1/bin/tool ]",
            "[ \"$(stat -c %U:%G /opt/pushed/bin/tool)\" = root:root ]",
            "grep -q 4321 /proc/$(systemctl show -p MainPID --value sample)/limits", "[ ! -e /srv/too-much ]",
            "systemctl is-enabled --quiet drover-test.timer", "systemctl is-active --quiet drover-test.timer",
            "systemctl start drover-test.service", "grep -q 'nobody echo $(date +\\\\%F)' /etc/cron.d/drover-test",
            "[ ! -e /usr/sbin/policy-rc.d ]", "[ -z \"$(find / -xdev -name '*.drover.??????')\" ]",
        ]
        for check in checks {
            let result = try await lab.shell(on: "pg1", check)
            #expect(result.status == 0, "\(check)\n\(result.everything)")
        }
    }

    @Test("a second time nothing is changed, by few programs")
    func again() async throws {
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab)
        expectNothingChanged(try await apply())
        let programs = try await trace.end()
        #expect(programs.count > 5)
        #expect(programs.count < 15, "\(programs)")
    }

    // MARK: Drift

    private static let drifts: [(what: String, steps: Set<String>)] = [
        (
            "sed -i 's/^PermitRootLogin.*/PermitRootLogin yes/' /etc/ssh/sshd_config",
            ["put the line 'PermitRootLogin prohibit-password' into /etc/ssh/sshd_config"]
        ),
        (
            "sed -i '/^UseDNS/d; s/X11Forwarding no/X11Forwarding yes/' /etc/ssh/sshd_config",
            ["put the line 'UseDNS no' into /etc/ssh/sshd_config", "put the block test into /etc/ssh/sshd_config"]
        ),
        (
            "cd \"/srv/it's a test\"; ln -sfn /etc link; echo more >>whole",
            ["change the link /srv/it's a test/link: /etc → whole", "write /srv/it's a test/whole"]
        ),
        (
            "echo x >/srv/old-file; mkdir -p /srv/old",
            ["remove /srv/old-file", "remove the directory /srv/old and all that is in it"]
        ),
        ("rm -r /srv/made; echo other >/srv/said", ["run mkdir /srv/made", "run say it"]),
        (
            "rm /opt/pushed/.tool.drover; echo 0 >/opt/fetched/.tool.drover",
            ["unpack FOLDER/tool.tar.gz into /opt/pushed", "unpack file:///srv/tool.tar.gz into /opt/fetched"]
        ),
        ("systemctl disable --now drover-test.timer", ["enable drover-test.timer", "start drover-test.timer"]),
        (
            "sed -i 's/03:15/04:15/' /etc/systemd/system/drover-test.timer; systemctl daemon-reload",
            ["write /etc/systemd/system/drover-test.timer", "let systemd read the units of drover-test again"]
        ),
        ("echo '# x' >>/etc/cron.d/drover-test", ["write /etc/cron.d/drover-test"]),
        (
            "rm /etc/systemd/system/sample.service.d/limits.conf",
            [
                "write /etc/systemd/system/sample.service.d/limits.conf", "let systemd read the unit of sample again",
                "restart sample",
            ]
        ),
        ("apt-mark unhold drover-sample", ["hold drover-sample"]),
        (
            "apt-get -qy --allow-change-held-packages install drover-sample=2.0",
            ["change drover-sample 2.0 → 1.*", "hold drover-sample"]
        ),
        ("apt-get -qy remove curl", ["install curl"]),
        (
            "sed -i s/^URIs/URLs/ /etc/apt/sources.list.d/drover-test.sources",
            ["write /etc/apt/sources.list.d/drover-test.sources"]
        ),
    ]

    @Test("what somebody changed, and nothing else, is planned and repaired", arguments: drifts.indices)
    func drift(index: Int) async throws {
        let (what, steps) = Self.drifts[index]
        try await lab.must(on: "pg1", what)
        let expected = Set(steps.map { "pg1: \($0.replacing("FOLDER", with: folder))" })
        let plan = try await run("plan")
        #expect(Steps.planned(in: plan.output) == expected, "\(plan.everything)")
        let result = try await apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == expected)
        expectNothingChanged(try await apply())
    }

    @Test("a timer goes by its new moment without being started anew")
    func newMoment() async throws {
        let next = try await lab.must(on: "pg1", "systemctl show --value -p NextElapseUSecRealtime drover-test.timer")
        #expect(next.contains(" 03:15:") || next.contains(" 03:16:00"), "\(next)")
    }

    @Test("another version of a package restarts what runs, and a hold stays")
    func heldVersion() async throws {
        try await lab.must(
            on: "pg1",
            "apt-get -qy --allow-change-held-packages install drover-sample=2.0 && apt-mark hold drover-sample")
        let before = try await lab.must(on: "pg1", "systemctl show -p MainPID --value sample")
        let result = try await apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == ["pg1: change drover-sample 2.0 → 1.*"])
        #expect(try await lab.must(on: "pg1", "systemctl show -p MainPID --value sample") != before)
        #expect(try await lab.must(on: "pg1", "apt-mark showhold") == "drover-sample\n")
        expectNothingChanged(try await apply())
    }

    // MARK: Failures

    @Test("a repository that cannot be read leaves the old state")
    func badRepository() async throws {
        let before = try await lab.must(on: "pg1", "cat /etc/apt/sources.list.d/drover-test.sources")
        let key = try String(contentsOfFile: "\(folder)/key.asc", encoding: .utf8)
        try await SampleRepository.makeKey("other", in: folder)
        let result = try await apply()
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.everything.contains("NO_PUBKEY"), "\(result.everything)")
        #expect(try await lab.must(on: "pg1", "cat /etc/apt/sources.list.d/drover-test.sources") == before)
        #expect(try await lab.must(on: "pg1", "ls /etc/apt/sources.list.d") == "drover-test.sources\nlab.list\n")
        try key.write(toFile: "\(folder)/key.asc", atomically: true, encoding: .utf8)
        expectNothingChanged(try await apply())
    }

    @Test("what a check refuses does not take the place of what is there")
    func badFile() async throws {
        try await lab.must(on: "pg1", "sed -i 's/^UseDNS.*/NoSuchWord/' /etc/ssh/sshd_config")
        let result = try await apply()
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.everything.contains("NoSuchWord"), "\(result.everything)")
        try await lab.must(
            on: "pg1", "grep -qx NoSuchWord /etc/ssh/sshd_config && sed -i /NoSuchWord/d /etc/ssh/sshd_config")
        #expect(try await apply().status == 0)
    }
}
