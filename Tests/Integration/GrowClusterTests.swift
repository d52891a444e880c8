import Foundation
import Subprocess
import Testing

/// A cluster of three members and one balancer grows, while a client writes through the address all the time.
@Suite("Growing a cluster", .serialized, .lab(of: 5, isPrepared: true))
struct GrowClusterTests {
    private var lab: TestLab { TestLab.current }

    /// Slow enough that a clone can be caught in the middle.
    private let basebackup = "basebackup: [{ option: max-rate, value: 5M }, { option: checkpoint, value: fast }]"

    // MARK: The cluster and its client

    @Test("a cluster with one balancer is made, and a client begins to write")
    func deploy() async throws {
        let three = try inventory("three")
        let result = try await lab.apply(three)
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(three))
        try await startClient()
    }

    // MARK: A member

    @Test(
        "a wrong name is told before any contact: exit code 1",
        arguments: [
            ("pg44", "did you mean 'pg4'?"), ("pg1", "the host 'pg1' is not in the group 'replica'"),
        ])
    func wrongName(name: String, complaint: String) async throws {
        let result = try await add("pgnode", name, try inventory("four", members: ["pg4"]))
        #expect(result.status == 1, "\(result.everything)")
        #expect(result.errors.contains(complaint), "\(result.errors)")
    }

    @Test("what stands in the way is told at once, and nothing is touched: exit code 9")
    func refusals() async throws {
        let four = try inventory("four", members: ["pg4"])
        let data = "/var/lib/postgresql/15/main"
        try await lab.must(on: "pg4", "mkdir -p \(data) && echo precious >\(data)/notes")
        var before = try await digests()
        let foreign = try await add("pgnode", "pg4", four)
        #expect(foreign.status == 9, "\(foreign.everything)")
        #expect(foreign.errors.contains("the data directory of pg4 holds something"), "\(foreign.errors)")
        #expect(try await digests() == before)
        try await lab.must(on: "pg4", "rm -r /var/lib/postgresql/15")

        // A locale of one database, another program at PostgreSQL's port, and a paused cluster.
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
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml resume --wait lab")
        try await lab.must(on: "pg4", "systemctl stop blocker")
    }

    @Test(
        "a member and its etcd are added; killed in the middle of the clone, the next run finishes; the third changes nothing"
    )
    func addMember() async throws {
        let four = try inventory("four", members: ["pg4"], etcd: ["pg4", "pg5"])
        let starts = try await etcdStarts()
        let command = [
            "ip", "netns", "exec", "drover-\(lab.name)", Drover.program, "apply", "add-pgnode", "--node", "pg4",
            "--etcd",
            "-i", four, "--yes",
        ]
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
        #expect(try await etcdStarts() == starts, "no old member of etcd was restarted")
        let members = try await lab.must(on: "pg1", "\(TestLab.etcdctl) member list")
        #expect(members.linesOfOutput.filter { $0.contains("started") }.count == 4, "\(members)")
        try await lab.eventually("pg4 serves readers", inventory: four) { status in
            status.balancers.first?.replicas.contains("pg4") ?? false
        }
        try await expectNoFailedStatement()
    }

    // MARK: A balancer

    @Test("a balancer is added: the address stays, one holds it, and no password is seen; again, nothing changes")
    func addBalancer() async throws {
        let four = try inventory("four", members: ["pg4"], etcd: ["pg4", "pg5"], balancers: ["pg4"])
        let secrets = ["superuser", "replication", "pooler"].map(lab.password)
        let (result, found) = try await SecretWatch.watching(for: secrets) { try await add("balancer", "pg4", four) }
        #expect(result.status == 0, "\(result.everything)")
        #expect(found == [])
        for secret in secrets { #expect(!result.everything.contains(secret)) }
        let lines = result.output.linesOfOutput
        let proof = try #require(
            lines.firstIndex { $0.contains("✓ pg1: prove that SQL passes through pg4") }, "\(lines)")
        let start = try #require(lines.firstIndex { $0.contains("✓ pg4: start keepalived") }, "\(lines)")
        #expect(proof < start)
        expectNothingChanged(try await add("balancer", "pg4", four))
        let status = try await lab.status(four)
        #expect(status.balancers.filter(\.holdsAddress).map(\.name) == ["pg5"])
        #expect(status.balancers.map(\.leader) == [["pg1"], ["pg1"]])
        let priorities = try await ["pg5", "pg4"].asyncMap {
            try await lab.must(on: $0, "sed -n 's/ *priority //p' /etc/keepalived/keepalived.conf")
        }
        #expect(priorities == ["150\n", "149\n"])
        try await expectNoFailedStatement()
    }

    // MARK: deploy-cluster

    @Test("deploy-cluster adds what the inventory gained in the same way, and leaves what it lost as it is")
    func gainedAndLost() async throws {
        let five = try inventory("five", members: ["pg4", "pg5"], etcd: ["pg4", "pg5"], balancers: ["pg4"])
        let starts = try await etcdStarts()
        let gained = try await lab.apply(five)
        #expect(gained.status == 0, "\(gained.everything)")
        #expect(gained.output.contains("✓ pg5: add pg5 to etcd"), "\(gained.output)")
        expectNothingChanged(try await lab.apply(five))
        #expect(try await etcdStarts() == starts)
        try await lab.eventually("five members", inventory: five) { status in
            status.findings.isEmpty && status.members.filter { $0.state == "streaming" }.count == 4
        }

        let lost = try inventory("lost", members: ["pg5"], etcd: ["pg4", "pg5"], balancers: ["pg4"])
        for _ in 1...2 {
            let result = try await lab.apply(lost)
            #expect(result.output.contains("pg4 (10.70.0.14, running) is a member that the inventory does not name"))
            #expect(result.output.contains("to take it out, name it again and apply remove-pgnode"))
        }
        // The order of the names in some files may have changed, what they say has not.
        expectNothingChanged(try await lab.apply(lost))
        let rule = "grep -c 'replication replicator 10.70.0.14/32' /var/lib/postgresql/15/main/pg_hba.conf"
        #expect(try await lab.must(on: "pg1", rule) == "1\n")
        #expect(try await lab.must(on: "pg5", "grep -c 'server pg4 10.70.0.14:6432' /etc/haproxy/haproxy.cfg") == "2\n")
        let slots = "SELECT active FROM pg_replication_slots WHERE slot_name = 'pg4'"
        #expect(try await lab.must(on: "pg1", "runuser -u postgres -- psql -Atc \"\(slots)\"") == "t\n")
        try await expectNoFailedStatement()
    }

    @Test("every row that the client was told of is there")
    func acknowledged() async throws {
        try await lab.must(on: "pg2", "touch /tmp/stop; while systemctl is-active --quiet client; do sleep 0.1; done")
        let missing = try await lab.must(
            on: "pg2",
            """
            PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtqc 'SELECT n FROM rows' | sort >/tmp/rows
            sort /tmp/acknowledged | comm -23 - /tmp/rows
            """)
        #expect(missing == "")
        let count = try await lab.must(on: "pg2", "wc -l </tmp/acknowledged")
        #expect(try #require(Int(count.prefix { $0.isNumber })) > 200)
    }

    // MARK: What the tests do and look at

    private func add(_ what: String, _ name: String, _ inventory: String, _ options: String...) async throws -> Command
    {
        let words = ["apply", "add-\(what)", "--node", name, "-i", inventory, "--yes"] + options
        return try await Command.run([Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words)
    }

    /// An inventory of three members, whose balancer is pg5, and of further hosts in their groups.
    private func inventory(
        _ name: String, members: [String] = [], etcd: [String] = [], balancers: [String] = []
    ) throws -> String {
        func hosts(_ names: [String], indent: Int) -> String {
            names.map { name in
                String(repeating: " ", count: indent) + "\(name): { ansible_host: 10.70.0.1\(name.dropFirst(2)) }\n"
            }.joined()
        }
        let text = try String(contentsOfFile: lab.inventory, encoding: .utf8)
        let head = try #require(text.range(of: "  children:\n")).lowerBound
        let groups = """
                etcd_cluster:
                  hosts:
            \(hosts(["pg1", "pg2", "pg3"] + etcd, indent: 8))    balancers:
                  hosts:
            \(hosts(["pg5"] + balancers, indent: 8))    master:
                  hosts:
            \(hosts(["pg1"], indent: 8))    replica:
                  hosts:
            \(hosts(["pg2", "pg3"] + members, indent: 8))
            """
        let path = "\(lab.folder)/\(name).yml"
        try (text[..<head] + "    \(basebackup)\n  children:\n" + groups)
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// A client that connects anew for each row, and notes which were acknowledged and which failed.
    private func startClient() async throws {
        try await lab.must(
            on: "pg2",
            #"""
            cat >/tmp/client.sh <<'END'
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while [ ! -e /tmp/stop ]; do
                n=$((n + 1))
                if error=$(psql -XAtqc "INSERT INTO rows VALUES ($n)" 2>&1); then echo $n >>/tmp/acknowledged
                else echo "$(date +%T) $n $error" >>/tmp/failed; fi
            done
            END
            : >/tmp/failed
            systemd-run --quiet --unit client sh /tmp/client.sh
            until [ -s /tmp/acknowledged ]; do sleep 0.1; done
            """#)
    }

    private func expectNoFailedStatement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await lab.must(on: "pg2", "cat /tmp/failed") == "", sourceLocation: sourceLocation)
    }

    private func etcdStarts() async throws -> [String] {
        try await ["pg1", "pg2", "pg3"].asyncMap {
            try await lab.must(on: $0, "systemctl show -p ExecMainStartTimestampMonotonic etcd")
        }
    }

    /// What a refused run must not have changed: the new host's data, packages and settings, the members' settings.
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
