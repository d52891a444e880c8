import Foundation
import Testing

extension LabSnapshot {
    /// A host that the playbook `file-resources` has set up, with the repository that it uses.
    fileprivate static let fileResources = LabSnapshot(
        "files", hosts: 1, source: #filePath,
        setUp: {
            try await FileResources(lab: TestLab.current).begin()
            let result = try await FileResources(lab: TestLab.current).apply()
            try #require(result.status == 0, "\(result.everything)")
        },
        settle: {
            let files = FileResources(lab: TestLab.current)
            try await SampleRepository.fetch(to: files.folder, from: "pg1", of: files.lab)
        })
}

/// The playbook `file-resources` on the one host of a lab.
private struct FileResources {
    let lab: TestLab

    /// Where the key and the archive are, on the controller.
    var folder: String { "\(lab.folder)/files" }

    /// Makes what the playbook takes for granted.
    func begin() async throws {
        try await SampleRepository.make(in: folder)
        try await SampleRepository.push(from: folder, to: "pg1", of: lab)
        try await lab.must(on: "pg1", "mkdir -p /srv/old/deep && echo kept >/srv/old/deep/file && touch /srv/too-much")
    }

    func run(_ verb: String, _ options: String...) async throws -> Command {
        try await Command.run(lab.playbook(verb, "file-resources", "--folder", folder) + options)
    }

    func apply() async throws -> Command { try await run("apply", "--yes") }
}

/// The resources for files, packages and what is made of files: on a bare host, after drift, and after failures.
@Suite("File resources")
struct FileResourceTests {
    private var lab: TestLab { TestLab.current }
    private var files: FileResources { FileResources(lab: lab) }

    // MARK: A bare host

    @Test("are made as planned and as declared on a bare host, and no output has a secret", .lab(of: 1))
    func fresh() async throws {
        try await files.begin()
        let plan = try await files.run("plan", "--detailed-exitcode")
        #expect(plan.status == 2, "\(plan.everything)")
        for expected in [
            "write /etc/apt/sources.list.d/drover-test.sources", "install curl drover-sample=1.*, purge less",
            "make the link /srv/it's a test/link → whole",
            "put the line 'token=‹secret›' into /srv/it's a test/secrets",
            "+UseDNS no", "run say it", "enable drover-test.timer",
        ] {
            #expect(plan.output.contains(expected), "\(expected)\n\(plan.output)")
        }
        let result = try await files.apply()
        try #require(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == Steps.planned(in: plan.output))
        #expect(!(plan.everything + result.everything).contains("lab-file-secret"))
        try await expectDeclaredState()
    }

    /// Looks at the host without Drover.
    private func expectDeclaredState() async throws {
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

    @Test("a second apply changes nothing, and starts few programs", .lab(from: .fileResources))
    func again() async throws {
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab)
        expectNothingChanged(try await files.apply())
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

    @Test(
        "Drover plans and repairs exactly what was changed by hand", .lab(from: .fileResources),
        arguments: drifts.indices)
    func drift(index: Int) async throws {
        let (what, steps) = Self.drifts[index]
        try await lab.must(on: "pg1", what)
        let expected = Set(steps.map { "pg1: \($0.replacing("FOLDER", with: files.folder))" })
        let plan = try await files.run("plan")
        #expect(Steps.planned(in: plan.output) == expected, "\(plan.everything)")
        let result = try await files.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == expected)
        expectNothingChanged(try await files.apply())
    }

    @Test("a timer takes its new time without a restart", .lab(from: .fileResources))
    func newTime() async throws {
        try await lab.must(
            on: "pg1", "sed -i 's/03:15/04:15/' /etc/systemd/system/drover-test.timer; systemctl daemon-reload")
        #expect(try await files.apply().status == 0)
        let next = try await lab.must(on: "pg1", "systemctl show --value -p NextElapseUSecRealtime drover-test.timer")
        #expect(next.contains(" 03:15:") || next.contains(" 03:16:00"), "\(next)")
    }

    @Test("another version of a package restarts its service, and the hold stays", .lab(from: .fileResources))
    func heldVersion() async throws {
        try await lab.must(
            on: "pg1",
            "apt-get -qy --allow-change-held-packages install drover-sample=2.0 && apt-mark hold drover-sample")
        let before = try await lab.must(on: "pg1", "systemctl show -p MainPID --value sample")
        let result = try await files.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == ["pg1: change drover-sample 2.0 → 1.*"])
        #expect(try await lab.must(on: "pg1", "systemctl show -p MainPID --value sample") != before)
        #expect(try await lab.must(on: "pg1", "apt-mark showhold") == "drover-sample\n")
        expectNothingChanged(try await files.apply())
    }

    // MARK: Failures

    @Test("a repository with another key leaves the old state", .lab(from: .fileResources))
    func badRepository() async throws {
        let before = try await lab.must(on: "pg1", "cat /etc/apt/sources.list.d/drover-test.sources")
        let key = try String(contentsOfFile: "\(files.folder)/key.asc", encoding: .utf8)
        try await SampleRepository.makeKey("other", in: files.folder)
        let result = try await files.apply()
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.everything.contains("NO_PUBKEY"), "\(result.everything)")
        #expect(try await lab.must(on: "pg1", "cat /etc/apt/sources.list.d/drover-test.sources") == before)
        #expect(try await lab.must(on: "pg1", "ls /etc/apt/sources.list.d") == "drover-test.sources\nlab.list\n")
        try key.write(toFile: "\(files.folder)/key.asc", atomically: true, encoding: .utf8)
        expectNothingChanged(try await files.apply())
    }

    @Test("a file that its check refuses does not replace the old one", .lab(from: .fileResources))
    func badFile() async throws {
        try await lab.must(on: "pg1", "sed -i 's/^UseDNS.*/NoSuchWord/' /etc/ssh/sshd_config")
        let result = try await files.apply()
        #expect(result.status == 3, "\(result.everything)")
        #expect(result.everything.contains("NoSuchWord"), "\(result.everything)")
        try await lab.must(
            on: "pg1", "grep -qx NoSuchWord /etc/ssh/sshd_config && sed -i /NoSuchWord/d /etc/ssh/sshd_config")
        #expect(try await files.apply().status == 0)
    }
}
