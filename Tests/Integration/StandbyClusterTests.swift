import Testing

/// A standby cluster in an external etcd, and what becomes of it.
@Suite("Standby cluster", .lab(from: .topologies))
struct StandbyClusterTests: TwoClusters {
    @Test("if the standby leader stops, the other member replicates in its place; a run restores the member")
    func standbyFailover() async throws {
        let (leader, replica) = try await standby()
        try await lab.must(on: leader, "systemctl stop patroni")
        let url = "https://\(address(of: replica)):8008/standby-leader"
        try await wait(on: replica, "curl -sf -o /dev/null --cacert /etc/ssl/drover/ca.crt \(url)")
        let result = try await apply("b")
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply("b"))
        #expect(try await streams(from: replica) == [leader])
        let seen = try await status("b")
        #expect(seen.contains("\(replica)     standby leader  streaming"), "\(seen)")
        #expect(seen.contains("Nothing to complain about."), "\(seen)")
        _ = try await sql("INSERT INTO notes VALUES ('followed')", at: address)
        try await waitForNote("followed", at: leader)
    }

    @Test("the standby cluster becomes independent with all rows, and refuses to become a standby cluster again")
    func promotion() async throws {
        let (leader, replica) = try await standby()
        _ = try await sql("INSERT INTO notes VALUES ('reached a')", at: address)
        try await waitForNote("reached a", at: leader)
        // Each client of etcd has to log in again.
        try await others.restart()
        let early = try await lab.drover("apply", "switchover", "--cluster", "b", "-i", inventory(), "--yes")
        #expect(early.status == 9, "\(early.everything)")
        let result = try await apply("b", following: false)
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("follow \(address):5432 no more: this becomes a cluster of its own, for good"))
        expectNothingChanged(try await apply("b", following: false))
        _ = try await sql("INSERT INTO notes VALUES ('written to b')", at: address(of: leader))
        #expect(try await sql("TABLE notes", at: address(of: leader)) == "reached a\nwritten to b\n")
        try await waitForNote("written to b", at: replica)
        #expect(try await sql("TABLE notes", at: address) == "reached a\n")
        let back = try await apply("b")
        #expect(back.status == 9, "\(back.everything)")
        #expect(back.everything.contains("the cluster 'b' is one of its own, led by \(leader)"))
    }

    @Test(
        "remove-pgnode refuses a member with a cascading replica; remove-cluster deletes only its own keys of an external etcd"
    )
    func removal() async throws {
        let independent = try await apply("b", following: false)
        try #require(independent.status == 0, "\(independent.everything)")
        let refused = try await lab.drover(
            "apply", "remove-pgnode", "--cluster", "a", "--node", "pg2", "-i", inventory(), "--yes")
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.everything.contains("pg3 replicate from pg2"))
        let plan = try await lab.drover(
            "plan", "remove-cluster", "--cluster", "b", "--even-if-in-use", "-i", inventory(following: false))
        let words = try #require(plan.everything.firstMatch(of: /b@[0-9]+/))
        let result = try await lab.drover(
            "apply", "remove-cluster", "--cluster", "b", "--even-if-in-use", "-i", inventory(following: false),
            "--confirm",
            String(words.output))
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await others.keys() == ["/far/b2/leader"])
        let keys = try await lab.must(on: "pg1", "\(TestLab.etcdctl) get --prefix --keys-only /")
        #expect(keys.contains("/service/a/leader"), "\(keys)")
        expectNothingChanged(try await apply("a"))
    }
}
