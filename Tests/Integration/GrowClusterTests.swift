import Foundation
import Subprocess
import Testing

extension LabSnapshot {
    /// Three members with etcd on pg1, pg2 and pg3, and a balancer on pg5. pg4 has no part yet.
    fileprivate static let growing = LabSnapshot(
        "growing", hosts: 5,
        setUp: {
            let result = try await TestLab.current.apply(GrowClusterTests.inventory("three"))
            try #require(result.status == 0, "\(result.everything)")
        },
        settle: {
            let inventory = try GrowClusterTests.inventory("three")
            for _ in 1...2 {
                try await TestLab.current.awaitPatroni()
                try await TestLab.current.eventually("the cluster is whole", inventory: inventory) { status in
                    status.findings.isEmpty && status.members.count { $0.state == "streaming" } == 2
                }
                try await TestLab.current.makeLeader("pg1", inventory: inventory)
            }
        })
}

/// A cluster of three members and one balancer grows, while a client writes through the VIP all the time.
@Suite("Growing a cluster")
struct GrowClusterTests {
    private var lab: TestLab { TestLab.current }

    /// Slow enough that a test can catch a clone in the middle.
    private static let basebackup = "basebackup: [{ option: max-rate, value: 5M }, { option: checkpoint, value: fast }]"

    // MARK: A member

    @Test(
        "add-pgnode rejects a wrong name before any contact: exit code 1", .lab(of: 1),
        arguments: [
            ("pg44", "did you mean 'pg4'?"), ("pg1", "the host 'pg1' is not in the group 'replica'"),
        ])
    func wrongName(name: String, complaint: String) async throws {
        let result = try await add("pgnode", name, try Self.inventory("four", members: ["pg4"]))
        #expect(result.status == 1, "\(result.everything)")
        #expect(result.errors.contains(complaint), "\(result.errors)")
    }

    @Test("add-pgnode reports all obstacles together, and changes nothing: exit code 9", .lab(from: .growing))
    func refusals() async throws {
        let four = try Self.inventory("four", members: ["pg4"])
        let data = "/var/lib/postgresql/15/main"
        try await lab.must(on: "pg4", "mkdir -p \(data) && echo precious >\(data)/notes")
        var before = try await digests()
        let foreign = try await add("pgnode", "pg4", four)
        #expect(foreign.status == 9, "\(foreign.everything)")
        #expect(foreign.errors.contains("the data directory of pg4 holds something"), "\(foreign.errors)")
        #expect(try await digests() == before)
        try await lab.must(on: "pg4", "rm -r /var/lib/postgresql/15")

        // Another program at PostgreSQL's port, and a paused cluster.
        try await lab.must(
            on: "pg4",
            "systemd-run --quiet --unit blocker python3 -m http.server 5432; until ss -Hltn | grep -q :5432; do sleep 0.1; done"
        )
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml pause --wait lab")
        before = try await digests()
        let both = try await add("pgnode", "pg4", four)
        #expect(both.status == 9, "\(both.everything)")
        for obstacle in [
            "the cluster is paused", "ports: pg4: python3 of blocker.service already listens at port 5432",
        ] {
            #expect(both.errors.contains(obstacle), "\(both.errors)")
        }
        #expect(try await digests() == before)
    }

    @Test(
        "add-pgnode adds a member and its etcd; after a kill during the clone the next run finishes, and the third changes nothing",
        .lab(from: .growing))
    func addMember() async throws {
        try await startClient()
        let four = try Self.inventory("four", members: ["pg4"], etcd: ["pg4", "pg5"])
        let starts = try await etcdStarts()
        let command = lab.command(["apply", "add-pgnode", "--node", "pg4", "--etcd", "-i", four, "--yes"])
        let killed = try await RunningProgram.run(command) { line, program in
            if line.contains("pg4: start patroni") { try program.send(.kill) }
        }
        #expect(killed.status == 137, "\(killed.everything)")
        // Patroni goes on alone.
        try await lab.must(
            on: "pg4", "until \(lab.patroni(of: "pg4")) | grep -q 'creating replica'; do sleep 0.1; done")

        let again = try await add("pgnode", "pg4", four, "--etcd")
        #expect(again.status == 0, "\(again.everything)")
        #expect(again.output.contains("pg4: wait until PostgreSQL leads or streams"), "\(again.output)")
        expectNothingChanged(try await add("pgnode", "pg4", four, "--etcd"))
        #expect(try await etcdStarts() == starts, "no old etcd member was restarted")
        let members = try await lab.must(on: "pg1", "\(TestLab.etcdctl) member list")
        #expect(members.linesOfOutput.filter { $0.contains("started") }.count == 4, "\(members)")
        try await lab.eventually("pg4 serves readers", inventory: four) { status in
            status.balancers.first?.replicas.contains("pg4") ?? false
        }
        try await expectEveryRow()
    }

    // MARK: A balancer

    @Test(
        "add-balancer adds a balancer on a member: the VIP stays, one holds it, and no password shows; again, nothing changes",
        .lab(from: .growing))
    func addBalancer() async throws {
        try await startClient()
        let two = try Self.inventory("two", balancers: ["pg3"])
        let secrets = ["superuser", "replication", "pooler"].map(lab.password)
        let (result, found) = try await SecretWatch.watching(for: secrets) { try await add("balancer", "pg3", two) }
        #expect(result.status == 0, "\(result.everything)")
        #expect(found == [])
        for secret in secrets { #expect(!result.everything.contains(secret)) }
        let lines = result.output.linesOfOutput
        let proof = try #require(
            lines.firstIndex { $0.contains("✓ pg1: prove that SQL passes through pg3") }, "\(lines)")
        let start = try #require(lines.firstIndex { $0.contains("✓ pg3: start keepalived") }, "\(lines)")
        #expect(proof < start)
        expectNothingChanged(try await add("balancer", "pg3", two))
        let status = try await lab.status(two)
        #expect(status.balancers.filter(\.holdsAddress).map(\.name) == ["pg5"])
        #expect(status.balancers.map(\.leader) == [["pg1"], ["pg1"]])
        let priorities = try await ["pg5", "pg3"].asyncMap {
            try await lab.must(on: $0, "sed -n 's/ *priority //p' /etc/keepalived/keepalived.conf")
        }
        #expect(priorities == ["150\n", "149\n"])
        try await expectEveryRow()
    }

    // MARK: deploy-cluster

    @Test(
        "deploy-cluster adds the hosts that the inventory gained, and leaves those that it lost", .lab(from: .growing))
    func gainedAndLost() async throws {
        try await startClient()
        let five = try Self.inventory("five", members: ["pg4", "pg5"], etcd: ["pg4", "pg5"], balancers: ["pg4"])
        let starts = try await etcdStarts()
        let gained = try await lab.apply(five)
        #expect(gained.status == 0, "\(gained.everything)")
        for host in ["pg4", "pg5"] {
            #expect(gained.output.contains("✓ \(host): add \(host) to etcd"), "\(gained.output)")
        }
        expectNothingChanged(try await lab.apply(five))
        #expect(try await etcdStarts() == starts)
        try await lab.eventually("five members", inventory: five) { status in
            status.findings.isEmpty && status.members.filter { $0.state == "streaming" }.count == 4
        }

        let lost = try Self.inventory("lost", members: ["pg5"], etcd: ["pg4", "pg5"], balancers: ["pg4"])
        for _ in 1...2 {
            let result = try await lab.apply(lost)
            #expect(result.output.contains("pg4 (10.70.0.14, running) is a member that the inventory does not name"))
            #expect(result.output.contains("to take it out, name it again and apply remove-pgnode"))
        }
        // The order of the names in some files may have changed, but not their meaning.
        expectNothingChanged(try await lab.apply(lost))
        let rule = "grep -c 'replication replicator 10.70.0.14/32' /var/lib/postgresql/15/main/pg_hba.conf"
        #expect(try await lab.must(on: "pg1", rule) == "1\n")
        #expect(try await lab.must(on: "pg5", "grep -c 'server pg4 10.70.0.14:6432' /etc/haproxy/haproxy.cfg") == "2\n")
        let slots = "SELECT active FROM pg_replication_slots WHERE slot_name = 'pg4'"
        #expect(try await lab.must(on: "pg1", "runuser -u postgres -- psql -Atc \"\(slots)\"") == "t\n")
        try await expectEveryRow()
    }

    // MARK: What the tests do and look at

    private func add(
        _ what: String, _ name: String, _ inventory: String, _ options: String...
    ) async throws -> Command {
        try await Command.run(
            lab.command(["apply", "add-\(what)", "--node", name, "-i", inventory, "--yes"] + options))
    }

    /// The inventory of the snapshot with further hosts in its groups.
    fileprivate static func inventory(
        _ name: String, members: [String] = [], etcd: [String] = [], balancers: [String] = []
    ) throws -> String {
        try TestLab.current.inventory(
            named: name, with: [basebackup],
            groups: [
                ("etcd_cluster", ["pg1", "pg2", "pg3"] + etcd), ("balancers", ["pg5"] + balancers),
                ("master", ["pg1"]), ("replica", ["pg2", "pg3"] + members),
            ])
    }

    /// Starts a client that opens a connection for each row, and records which rows were acknowledged and which failed.
    private func startClient() async throws {
        try await lab.must(
            on: "pg2",
            #"""
            cat >/tmp/client.sh <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while [ ! -e /tmp/stop ]; do
                n=$((n + 1)); sleep 0.02
                if error=$(psql -XAtqc "INSERT INTO rows VALUES ($n)" 2>&1); then echo $n >>/tmp/acknowledged
                else echo "$(date +%T) $n $error" >>/tmp/failed; fi
            done
            END
            : >/tmp/failed
            systemd-run --quiet --unit client sh /tmp/client.sh
            until [ -s /tmp/acknowledged ]; do sleep 0.1; done
            """#)
    }

    /// Expects that none of more than 200 statements failed, and that no acknowledged row is lost.
    private func expectEveryRow(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let missing = try await lab.must(
            on: "pg2",
            """
            until [ "$(wc -l </tmp/acknowledged)" -gt 200 ]; do sleep 0.1; done
            touch /tmp/stop; while systemctl is-active --quiet client; do sleep 0.1; done
            PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtqc 'SELECT n FROM rows' | sort >/tmp/rows
            sort /tmp/acknowledged | comm -23 - /tmp/rows
            """)
        #expect(missing == "", sourceLocation: sourceLocation)
        #expect(try await lab.must(on: "pg2", "cat /tmp/failed") == "", sourceLocation: sourceLocation)
    }

    private func etcdStarts() async throws -> [String] {
        try await ["pg1", "pg2", "pg3"].asyncMap {
            try await lab.must(on: $0, "systemctl show -p ExecMainStartTimestampMonotonic etcd")
        }
    }

    /// Digests of what a refused run must not change: the new host's data, packages and settings, the members' settings.
    private func digests() async throws -> [String] {
        try await ["pg1", "pg2", "pg3", "pg4", "pg5"].asyncMap { host in
            try await lab.must(
                on: host,
                """
                { find /etc -type f -exec sha256sum {} +; dpkg-query -W
                  [ \(host) != pg4 ] || find /var/lib/postgresql -type f -exec sha256sum {} + 2>/dev/null; true
                  [ \(host) != pg1 ] || runuser -u postgres -- psql -Atc 'SELECT slot_name FROM pg_replication_slots'
                } | sort | sha256sum
                """)
        }
    }
}

extension Array where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
