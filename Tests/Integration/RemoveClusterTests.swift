import Foundation
import Testing

/// How a cluster is taken apart: each guard, a node, a balancer, and at last the whole. The tests stand in the order of that
/// life, which goes on in `RemovedClusterRemovals.swift`: tests are run in the order of files and lines.
@Suite("Taking a cluster apart", .serialized, .lab(of: 3))
struct RemoveClusterTests {
    var lab: TestLab { TestLab.current }
    let hosts = ["pg1", "pg2", "pg3"]
    let data = "/var/lib/postgresql/15/main"

    @Test("a cluster, with a tablespace, and something of somebody else in its etcd")
    func deploy() async throws {
        // There is nothing yet, and nothing is what there shall be.
        expectNothingChanged(try await remove(["--yes"]))
        let result = try await lab.apply()
        try #require(result.status == 0, "\(result.everything)")
        for host in hosts { try await lab.must(on: host, "install -d -o postgres -g postgres /srv/space") }
        try await superuser("CREATE TABLESPACE space LOCATION '/srv/space'")
        try await superuser("CREATE TABLE notes TABLESPACE space AS SELECT 'kept' AS text")
        try await superuser("CHECKPOINT")
        try await etcd("put /other/key theirs")
        try await settled()
    }

    @Test("it is protected unless the inventory says otherwise, and the command line cannot say it: exit code 9")
    func protected() async throws {
        try await untouched {
            let result = try await lab.drover("apply", "remove-cluster", "-i", lab.inventory, "--yes")
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("the cluster 'lab' is protected"), "\(result.errors)")
            let line = try await lab.drover(
                "plan", "remove-cluster", "-i", lab.inventory, "-e", "cluster_protected=false")
            #expect(line.status == 1, "\(line.everything)")
            let part = try await lab.drover("plan", "remove-cluster", "-i", try unprotected(), "--limit", "pg1")
            #expect(part.status == 1, "\(part.everything)")
        }
    }

    @Test("it must be named, with its system identifier, or typed: exit code 9")
    func wrongName() async throws {
        let wrong = [["--yes"], ["--confirm", "lab"], ["--confirm", "lab@1"], ["--confirm", "prod@1", "--yes"]]
        try await untouched {
            for options in wrong {
                let result = try await remove(options)
                #expect(result.status == 9, "\(result.everything)")
                #expect(result.errors.contains("write --confirm lab@"), "\(result.errors)")
            }
            let terminal = lab.command(try removal(["--even-if-in-use"])).joined(separator: " ")
            let typed = try await Command.run(["sh", "-c", "echo prod | script -qec '\(terminal)' /dev/null"])
            #expect(typed.status == 9, "\(typed.everything)")
            #expect(typed.output.contains("Type 'lab' to destroy it: "), "\(typed.everything)")
            #expect(typed.output.contains("'prod' is not what the plan destroys"), "\(typed.everything)")
        }
        let etcd = try await remove(["-e", "remove_postgres=false"], command: "plan")
        #expect(etcd.output.contains("etcd stays: it has other keys too, such as /other/key"), "\(etcd.everything)")
        #expect(etcd.output.contains("Nothing to change."), "\(etcd.everything)")
    }

    @Test("somebody is connected, through the pooler or not, or has written: exit code 9")
    func inUse() async throws {
        let sessions = [
            "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app",
            "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.13 -p 5432 -U app app",
            "runuser -u postgres -- psql -h /var/run/postgresql postgres",
        ]
        for (number, session) in sessions.enumerated() {
            try await lab.must(
                on: "pg3",
                """
                cd / && systemd-run --quiet --unit client\(number) sh -c "echo '\\! touch /tmp/client\(number)
                \\\\! sleep 300' | \(session) -Xq"
                until [ -e /tmp/client\(number) ]; do sleep 0.05; done
                """)
        }
        try await superuser("CHECKPOINT")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            let leader = try #require(try await lab.status().leader)
            #expect(result.errors.contains("connected to \(leader): app to app from 10.70.0.1"), "\(result.errors)")
            #expect(result.errors.contains("connected to pg3: app to app from 10.70.0.13"), "\(result.errors)")
            #expect(result.errors.contains("postgres to postgres from itself"), "\(result.errors)")
            #expect(!result.errors.contains("has written"), "\(result.errors)")
        }
        for number in sessions.indices { try await lab.must(on: "pg3", "systemctl stop client\(number)") }
        try await superuser("INSERT INTO notes VALUES ('more')")
        let result = try await remove(["--confirm", "lab@1"])
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("somebody has written to "), "\(result.errors)")
        try await superuser("CHECKPOINT")
        for host in hosts { try await lab.must(on: host, untilNobodyIsConnected) }
        let idle = try await remove([], command: "plan")
        #expect(idle.status == 0, "\(idle.everything)")
    }

    @Test("a live member that the inventory does not name: exit code 9")
    func stranger() async throws {
        let member =
            #"{\"conn_url\":\"postgres://10.70.0.99:5432/postgres\",\"state\":\"running\",\"role\":\"replica\"}"#
        try await etcd("put /service/lab/members/pg9 \"\(member)\"")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("the inventory does not name its live members pg9"), "\(result.errors)")
        }
        try await etcd("del /service/lab/members/pg9")
    }

    @Test("a foreign data directory, and leftovers of another cluster in etcd: exit code 9")
    func foreign() async throws {
        let status = try await lab.status()
        let leader = try #require(status.leader)
        let replica = try #require(status.members.first { $0.role == "replica" }?.name)
        try await lab.must(on: replica, "systemctl stop patroni && mv \(data) \(data).kept && mkdir \(data)")
        try await lab.must(on: replica, "touch \(data)/letter")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("of \(replica) holds something that is no database"), "\(result.errors)")
        }
        try await lab.must(
            on: replica,
            """
            rm -r \(data)
            cd / && runuser -u postgres -- /usr/lib/postgresql/15/bin/initdb --no-sync -D \(data) >/dev/null
            """)
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("are not of one cluster"), "\(result.errors)")
        }
        try await lab.must(on: replica, "rm -r \(data) && mv \(data).kept \(data)")
        // Patroni would put such a key right. Who leads is stopped last, and nobody takes over.
        let others = hosts.filter { $0 != replica && $0 != leader } + [leader]
        for host in others { try await lab.must(on: host, "systemctl stop patroni") }
        let key = try await etcd("get --print-value-only /service/lab/initialize").trimmed
        try await etcd("put /service/lab/initialize 4711")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("but etcd knows the cluster by 4711"), "\(result.errors)")
        }
        try await etcd("put /service/lab/initialize \(key)")
        for host in hosts { try await lab.must(on: host, "systemctl start patroni") }
        try await lab.eventually("the cluster is whole") { $0.findings.isEmpty }
    }

    @Test("etcd without a quorum, of which the keys cannot be deleted: exit code 9")
    func quorum() async throws {
        for host in ["pg2", "pg3"] { try await lab.must(on: host, "systemctl stop etcd") }
        let result = try await remove(["--confirm", "lab@1"])
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("etcd has no quorum"), "\(result.errors)")
        for host in ["pg2", "pg3"] { try await lab.must(on: host, "systemctl start --no-block etcd") }
        try await lab.eventually("the cluster is whole") { $0.findings.isEmpty }
        let again = try await lab.apply()
        #expect(again.status == 0, "\(again.everything)")
    }
}
