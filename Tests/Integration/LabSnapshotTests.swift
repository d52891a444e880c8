import Testing

@Suite("Snapshots of a lab")
struct LabSnapshotTests {
    private var lab: TestLab { TestLab.current }
    /// A lab that is made from the snapshots.
    private var copy: TestLab { TestLab(name: "\(lab.name)b", of: lab.snapshot) }

    @Test(
        "keep a moment, in as many layers as there were moments, and leave it to labs that change",
        .lab(of: 3, isPrepared: true))
    func moments() async throws {
        try await withSnapshots(["\(lab.name)s1", "\(lab.name)s2"]) { first, second in
            try await lab.must(
                on: "pg1",
                """
                echo first >/root/moment; chown daemon /root/moment; rm /etc/netconfig /etc/issue; mkdir -p /root/folder/in /root/old/in
                """)
            try await succeed("snapshot", first, "--name", lab.name)
            try await lab.must(on: "pg1", "echo lost >/root/moment; rm -r /root/folder; echo lost >/etc/issue")

            try await succeed("restore", first, "--name", copy.name)
            let look =
                "cat /root/moment; stat -c %U /root/moment; ls -A /root/folder; ls /etc/issue /etc/netconfig; hostname"
            func seen(_ lab: TestLab) async throws -> String { try await lab.shell(on: "pg1", look).output }
            #expect(try await seen(copy) == "first\ndaemon\nin\npg1\n")
            // Both labs are up at once, with the same addresses.
            #expect(try await lab.must(on: "pg1", "cat /root/moment") == "lost\n")

            try await copy.must(
                on: "pg1", "echo second >/root/moment; rm -r /root/folder; mkdir /root/folder; echo second >/etc/issue")
            // As PostgreSQL does with the folder of a replication slot that it drops; `mv` would copy.
            try await copy.must(on: "pg1", "perl -e 'rename \"/root/old\", \"/root/new\" or die $!'")
            try await succeed("snapshot", second, "--name", copy.name)
            let used = try await Drover.run("lab", "forget", first)
            #expect(used.status != 0)
            #expect(used.errors.contains("the lab '\(copy.name)' uses the snapshot '\(first)'"), "\(used.everything)")
            try await succeed("down", "--name", copy.name)
            try await succeed("forget", first)

            // The second one needs the first no more, and takes in new hosts.
            try await succeed("restore", second, "--name", copy.name)
            #expect(try await copy.must(on: "pg1", "cd /root; ls -d old new 2>/dev/null; ls -A new") == "new\nin\n")
            #expect(try await seen(copy) == "second\ndaemon\n/etc/issue\npg1\n")
            try await succeed("up", "4", "--name", copy.name)
            #expect(try await copy.must(on: "pg4", "hostname") == "pg4\n")
            #expect(try await seen(copy) == "second\ndaemon\n/etc/issue\npg1\n")
            // What was restored stays over a loss of power.
            try await copy.fault("kill", "pg1")
            try await copy.fault("start", "pg1")
            #expect(try await seen(copy) == "second\ndaemon\n/etc/issue\npg1\n")
            let unknown = try await Drover.run("lab", "restore", first, "--name", copy.name)
            #expect(unknown.status != 0)
            #expect(unknown.errors.contains("there is no snapshot '\(first)'"), "\(unknown.everything)")
            // A refusal leaves the lab as it was.
            #expect(try await copy.must(on: "pg4", "hostname") == "pg4\n")
        }
    }

    @Test(
        "a cluster that was kept at work answers within ten seconds of its restoration, and nothing is to be changed",
        .lab(from: .deployed, alone: true))
    func cluster() async throws {
        try await withSnapshots(["\(lab.name)s3"]) { snapshot, _ in
            let statement = "INSERT INTO kept VALUES (1); SELECT count(*) FROM kept"
            let command =
                "PGCONNECT_TIMEOUT=1 PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtqc"
            try await lab.must(on: "pg2", "\(command) 'CREATE TABLE kept (number int); \(statement)'")
            try await succeed("snapshot", snapshot, "--name", lab.name)
            #expect(try await lab.must(on: "pg2", "\(command) '\(statement)'") == "2\n")

            let clock = ContinuousClock()
            let begin = clock.now
            try await succeed("restore", snapshot, "--name", copy.name)
            var count = ""
            while count.isEmpty, clock.now - begin < .seconds(60) {
                count = try await copy.shell(on: "pg2", "\(command) '\(statement)' 2>/dev/null").output
            }
            #expect(count == "2\n")
            #expect(clock.now - begin < .seconds(10))
            try copy.writeInventories(hosts: 3)
            try await copy.eventually("all is well") { $0.findings.isEmpty && $0.members.count == 3 }
            expectNothingChanged(try await copy.apply())
        }
    }

    private func succeed(_ words: String...) async throws {
        let result = try await Drover.run(["lab"] + words)
        try #require(result.status == 0, "\(words): \(result.everything)")
    }

    /// Runs `body` with the names of one or two snapshots, which it makes, and removes what is left of them and of the copy.
    private func withSnapshots(
        _ names: [String], _ body: (_ first: String, _ last: String) async throws -> Void
    ) async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(names[0], names[names.count - 1]))
        } catch {
            result = .failure(error)
        }
        _ = try await Drover.run("lab", "down", "--name", copy.name)
        for name in names { _ = try await Drover.run("lab", "forget", name) }
        try result.get()
    }
}
