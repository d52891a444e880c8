import Testing

/// Each of the flows once, on a cluster that works. `make smoke` runs these alone.
@Suite("Smoke")
struct SmokeTests {
    private var lab: TestLab { TestLab.current }

    @Test("a deployed cluster takes SQL through its address, and nothing is to be changed", .lab(from: .deployed))
    func nothingToDo() async throws {
        #expect(try await sql("SELECT pg_is_in_recovery()") == "f\n")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--detailed-exitcode")
        #expect(plan.status == 0, "\(plan.everything)")
        expectNothingChanged(try await lab.apply())
    }

    @Test("a switchover moves the leader, once", .lab(from: .deployed))
    func switchover() async throws {
        let target = try await lab.status().leader == "pg2" ? "pg1" : "pg2"
        let words = ["switchover", "--to", target, "-i", lab.inventory]
        try await succeed(words)
        #expect(try await lab.status().leader == target)
        expectNothingChanged(try await apply(words))
        expectNothingChanged(try await lab.apply())
    }

    @Test("add-pgnode adds a member, once, and its rows are there", .lab(from: .deployed, hosts: 4))
    func addMember() async throws {
        try await sql("CREATE TABLE kept AS SELECT 1 AS number")
        let four = try lab.inventory(replacing: [
            ("            pg3:\n", "            pg3:\n            pg4: { ansible_host: 10.70.0.14 }\n")
        ])
        let words = ["add-pgnode", "--node", "pg4", "-i", four]
        try await succeed(words)
        #expect(try await lab.must(on: "pg4", superuser("SELECT number FROM kept")) == "1\n")
        expectNothingChanged(try await apply(words))
        expectNothingChanged(try await lab.apply(four))
    }

    @Test("add-balancer adds a balancer, once, which takes clients to the leader", .lab(from: .deployed, hosts: 4))
    func addBalancer() async throws {
        let four = try lab.inventory(replacing: [
            (
                "    balancers:\n      hosts: *hosts\n",
                """
                    balancers:
                      hosts:
                        pg1:
                        pg2:
                        pg3:
                        pg4: { ansible_host: 10.70.0.14 }

                """
            )
        ])
        let words = ["add-balancer", "--node", "pg4", "-i", four]
        try await succeed(words)
        #expect(try await sql("SELECT pg_is_in_recovery()", at: "10.70.0.14") == "f\n")
        expectNothingChanged(try await apply(words))
        expectNothingChanged(try await lab.apply(four))
    }

    @Test("point-in-time-recovery brings back what was deleted", .lab(from: .withBackups))
    func recovery() async throws {
        try await sql("CREATE TABLE kept AS SELECT 1 AS number")
        let leader = try #require(try await lab.status().leader)
        let moment = try await lab.must(on: leader, superuser("SELECT pg_create_restore_point('before')")).trimmed
        try await sql("DELETE FROM kept")
        let identity = try await confirmation(on: leader)
        try await succeed([
            "point-in-time-recovery", "--target-lsn", moment, "--promote", "--wait", "--confirm", identity, "-i",
            lab.inventory,
        ])
        #expect(try await sql("SELECT number FROM kept") == "1\n")
        expectNothingChanged(try await lab.apply())
    }

    @Test("remove-cluster refuses, then leaves nothing, once", .lab(from: .deployed))
    func removal() async throws {
        let unprotected = try lab.inventory(replacing: [
            ("    patroni_cluster_name: lab\n", "    patroni_cluster_name: lab\n    cluster_protected: false\n")
        ])
        let identity = try await confirmation(on: "pg1")
        let refused = try await apply(["remove-cluster", "-i", lab.inventory])
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(try await sql("SELECT 1") == "1\n")
        let words = ["remove-cluster", "--confirm", identity, "--purge", "--even-if-in-use", "-i", unprotected]
        try await succeed(words)
        for host in ["pg1", "pg2", "pg3"] {
            #expect(
                try await lab.must(
                    on: host, "find /var/lib/postgresql /var/lib/etcd -type f 2>/dev/null; pgrep -l postgres; :") == "")
        }
        expectNothingChanged(try await apply(words))
    }

    private func apply(_ words: [String]) async throws -> Command {
        let confirmed = words.contains("--confirm") ? [] : ["--yes"]
        return try await Command.run(lab.inside(Drover.program) + ["apply"] + words + confirmed)
    }

    private func succeed(_ words: [String]) async throws {
        let result = try await apply(words)
        try #require(result.status == 0, "\(result.everything)")
    }

    /// Runs SQL as a client does.
    @discardableResult
    private func sql(_ statement: String, at address: String = "10.70.0.100") async throws -> String {
        try await lab.must(
            on: "pg2",
            "PGPASSWORD=\(lab.password(of: "app")) psql -h \(address) -p 5000 -U app app -XAtqc \"\(statement)\"")
    }

    /// Shell text that runs SQL on a member as the superuser.
    private func superuser(_ statement: String) -> String {
        "cd /; runuser -u postgres -- psql -XAtq -d app -c \"\(statement)\""
    }

    /// The words that confirm what cannot be undone.
    private func confirmation(on host: String) async throws -> String {
        "lab@" + (try await lab.must(on: host, superuser("SELECT system_identifier FROM pg_control_system()")).trimmed)
    }
}
