import Testing

extension LabSnapshot {
    private struct Setting: RemovalTests {}

    /// The cluster of `inventory/lab.yml` with a table `notes` in a tablespace, and a key of another program in its etcd.
    static let furnished = LabSnapshot(
        "furnished",
        setUp: {
            let cluster = Setting()
            try await deploy()
            for host in cluster.hosts {
                try await cluster.lab.must(on: host, "install -d -o postgres -g postgres /srv/space")
            }
            try await cluster.superuser("CREATE TABLESPACE space LOCATION '/srv/space'")
            try await cluster.superuser("CREATE TABLE notes TABLESPACE space AS SELECT 'kept' AS text")
            try await cluster.etcd("put /other/key theirs")
        },
        settle: {
            let cluster = Setting()
            try await awaitCluster()
            // The leader begins a timeline when it boots. The control file of a replica shows it after a restartpoint.
            try await cluster.superuser("CHECKPOINT")
            let timelines = "SELECT timeline_id, prev_timeline_id FROM pg_control_checkpoint()"
            let expected = try await cluster.superuser(timelines).trimmed
            let restartpoint = "cd /; runuser -u postgres -- psql -XAtq -c CHECKPOINT -c '\(timelines)'"
            for host in cluster.hosts {
                try await cluster.lab.must(
                    on: host, "until [ \"$(\(restartpoint))\" = '\(expected)' ]; do sleep 0.1; done")
            }
        })
}

/// What stops remove-cluster before any change.
@Suite("Guards of remove-cluster", .lab(from: .furnished))
struct RemovalGuardTests: RemovalTests {
    @Test("the cluster is protected until the inventory permits its removal; the command line cannot: exit code 9")
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

    @Test("remove-cluster requires the name with the system identifier, or the typed name: exit code 9")
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

    @Test("remove-cluster refuses while a client is connected, with or without PgBouncer, or has written: exit code 9")
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

    @Test("remove-cluster refuses a running unlisted member: exit code 9")
    func unlistedMember() async throws {
        let member =
            #"{\"conn_url\":\"postgres://10.70.0.99:5432/postgres\",\"state\":\"running\",\"role\":\"replica\"}"#
        try await etcd("put /service/lab/members/pg9 \"\(member)\"")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("the inventory does not name its live members pg9"), "\(result.errors)")
        }
    }

    @Test("remove-cluster refuses the data of another cluster, and the keys of another one in etcd: exit code 9")
    func foreign() async throws {
        let status = try await lab.status()
        let leader = try #require(status.leader)
        let replica = try #require(status.members.first { $0.role == "replica" }?.name)
        try await lab.must(on: replica, "systemctl stop patroni && mv \(data) \(data).kept && mkdir \(data)")
        try await lab.must(on: replica, "touch \(data)/letter")
        // The key of a stopped member would expire at some moment.
        try await etcd("del /service/lab/members/\(replica)")
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
        // Patroni would correct the key. The leader stops last, so no member takes over.
        let others = hosts.filter { $0 != replica && $0 != leader } + [leader]
        for host in others { try await lab.must(on: host, "systemctl stop patroni") }
        try await etcd("del --prefix /service/lab/members/")
        try await etcd("put /service/lab/initialize 4711")
        try await untouched {
            let result = try await remove(["--confirm", "lab@1"])
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("but etcd knows the cluster by 4711"), "\(result.errors)")
        }
    }

    @Test("remove-cluster refuses without a quorum of etcd, because it cannot delete the keys: exit code 9")
    func quorum() async throws {
        for host in ["pg2", "pg3"] { try await lab.must(on: host, "systemctl stop etcd") }
        let result = try await remove(["--confirm", "lab@1"])
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("etcd has no quorum"), "\(result.errors)")
    }
}
