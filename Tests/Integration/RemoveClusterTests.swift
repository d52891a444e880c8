import Testing

/// The removal of a whole cluster.
@Suite("remove-cluster")
struct RemoveClusterTests: RemovalTests {
    @Test("remove-cluster changes nothing on bare hosts", .lab(of: 3))
    func bareHosts() async throws {
        expectNothingChanged(try await remove(["--yes"]))
    }

    @Test(
        "after kills at every other play, the next run finishes: no daemon runs, no data is lost, and the keys of others stay",
        .lab(from: .furnished))
    func removal() async throws {
        try await superuser("INSERT INTO notes VALUES ('more')")
        let words = try await confirmation()
        for play in ["Take the address away", "Stop the replicas", "Take the data away", "Take the files away"] {
            try await lab.kill(try removal(["--confirm", words, "--even-if-in-use"]), at: play)
        }
        let result = try await remove(["--confirm", words, "--wait", "--even-if-in-use"])
        #expect(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("etcd stays: it has other keys too, such as /other/key"), "\(result.output)")
        expectNothingChanged(try await remove(["--confirm", words]))
        for host in hosts { #expect(try await remains(on: host) == "etcd\n", "\(host)") }
        #expect(try await etcd("get --prefix --keys-only ''").trimmedLines == ["/other/key"])
        #expect(try await lab.must(on: "pg1", "ls -d \(data)* /srv/space* | wc -l") == "2\n")
        try await expectWholeDatabase()
    }

    @Test(
        "etcd is removed when it has no other keys; --purge leaves nothing; a deployment creates a new cluster",
        .lab(from: .furnished))
    func purge() async throws {
        let removal = try await remove(["--confirm", try await confirmation(), "--even-if-in-use"])
        try #require(removal.status == 0, "\(removal.everything)")
        try await etcd("del /other/key")
        let saved = "\(lab.folder)/removal.json"
        let plan = try await remove(["-o", saved], command: "plan")
        #expect(plan.status == 0, "\(plan.everything)")
        for (options, status) in [([], 9), (["--confirm", "prod"], 9), (["--confirm", "lab"], 0)] {
            let etcd = try await Command.run(lab.command(["apply", "--plan", saved] + options))
            #expect(etcd.status == status, "\(etcd.everything)")
        }
        for host in hosts { #expect(try await remains(on: host) == "", "\(host)") }
        let result = try await remove(["--confirm", "lab", "--purge"])
        #expect(result.status == 0, "\(result.everything)")
        for host in hosts {
            let left = try await lab.must(on: host, "ls -A /srv /var/lib/postgresql/15 /var/lib/etcd")
            #expect(!left.contains("removed") && !left.contains("lab") && !left.contains("main"), "\(left)")
        }
        expectNothingChanged(try await remove(["--confirm", "lab@1", "--purge"]))
        let deployed = try await lab.apply()
        #expect(deployed.status == 0, "\(deployed.everything)")
        expectNothingChanged(try await lab.apply())
        try await lab.eventually("nothing to complain about") { $0.findings.isEmpty }
    }

    /// Starts what was retired on pg1.
    private func expectWholeDatabase() async throws {
        let control = "cd / && runuser -u postgres -- /usr/lib/postgresql/15/bin/pg_ctl -s -w -D \(data)"
        try await lab.must(
            on: "pg1",
            """
            for path in \(data) /srv/space; do mv -T $path.removed-*Z $path; done
            rm -f \(data)/standby.signal
            \(control) -o '-c ssl=off' start >/dev/null
            """)
        let sql = "runuser -u postgres -- psql -h /var/run/postgresql -XAtc 'SELECT text FROM notes ORDER BY 1'"
        #expect(try await lab.must(on: "pg1", "cd / && \(sql)") == "kept\nmore\n")
    }
}
