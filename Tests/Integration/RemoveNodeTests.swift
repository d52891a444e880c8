import Testing

/// The removal of a balancer or a replica from a cluster that goes on.
@Suite("remove-pgnode and remove-balancer", .lab(from: .deployed))
struct RemoveNodeTests: RemovalTests {
    @Test(
        "remove-pgnode refuses the leader, and a member that etcd needs for its quorum: exit code 9; an unknown host: exit code 1"
    )
    func indispensable() async throws {
        let status = try await lab.status()
        let leader = try #require(status.leader)
        let replicas = status.members.map(\.name).filter { $0 != leader }
        try await untouched {
            let result = try await run("apply", "remove-pgnode", "--yes", "--node", leader)
            #expect(result.status == 9, "\(result.everything)")
            #expect(result.errors.contains("\(leader) leads the cluster"), "\(result.errors)")
            #expect(result.errors.contains("drover apply switchover --to pg"), "\(result.errors)")
            for playbook in ["remove-pgnode", "remove-balancer"] {
                let strange = try await run("apply", playbook, "--yes", "--node", "pg9")
                #expect(strange.status == 1, "\(strange.everything)")
            }
        }
        try await lab.must(on: replicas[1], "systemctl stop etcd")
        let result = try await run("apply", "remove-pgnode", "--yes", "--node", replicas[0], "--etcd")
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("etcd would have 1 healthy of 2 members"), "\(result.errors)")
    }

    @Test("one other balancer holds the VIP after remove-balancer removed its holder; a deployment restores it")
    func balancer() async throws {
        let holder = try #require(try await lab.status().balancers.first(where: \.holdsAddress)?.name)
        let result = try await run("apply", "remove-balancer", "--yes", "--node", holder)
        #expect(result.status == 0, "\(result.everything)")
        let balancers = try await lab.status().balancers
        #expect(balancers.filter(\.holdsAddress).count == 1)
        #expect(!balancers.contains { $0.holdsAddress && $0.name == holder })
        #expect(try await superuser("SELECT 1") == "1\n")
        for host in hosts where host != holder {
            let peers = try await lab.must(on: host, "grep -A3 unicast_peer /etc/keepalived/keepalived.conf")
            #expect(!peers.contains(address(of: holder)), "\(peers)")
        }
        expectNothingChanged(try await run("apply", "remove-balancer", "--yes", "--node", holder))
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
        try await lab.eventually("all are back") { $0.findings.isEmpty }
    }

    /// The master process of HAProxy is stopped, so that a reload returns at once and comes into effect only later.
    @Test("remove-pgnode fails no statement of a reading client, however late HAProxy reloads")
    func lateReload() async throws {
        let status = try await lab.status()
        let replica = try #require(status.members.last { $0.role == "replica" }?.name)
        let balancer = try #require(status.balancers.first(where: \.holdsAddress)?.name)
        let clients = try await ReadingClients.start(2, on: balancer, of: lab, "SELECT 1")
        try await lab.must(on: balancer, #"kill -STOP "$(systemctl show -P MainPID haproxy)""#)
        let result = try await run("apply", "remove-pgnode", "--yes", "--node", replica)
        #expect(result.status == 0, "\(result.everything)")
        // Clients that are idle in the pool of the server are nobody to wait for.
        let wait = try #require(
            result.output.firstMatch(of: /let clients finish, for at most 60 s(?:  ([0-9.]+) s)?\n/), "\(result.output)"
        )
        #expect(wait.output.1.flatMap { Double($0) } ?? 0 < 30, "\(result.output)")
        try await clients.goOn()
        try await lab.must(on: balancer, #"kill -CONT "$(systemctl show -P MainPID haproxy)""#)
        #expect(try await clients.end() == "")
        #expect(try await lab.shell(on: replica, "systemctl is-active patroni pgbouncer").status != 0)
    }

    @Test("remove-pgnode, killed three times, removes a replica and its etcd, and no statement of a client fails")
    func node() async throws {
        let status = try await lab.status()
        let replica = try #require(status.members.last { $0.role == "replica" }?.name)
        let client = try #require(hosts.first { $0 != replica })
        try await superuser("CREATE TABLE written (at timestamptz DEFAULT now())")
        try await superuser("GRANT SELECT, INSERT ON written TO app")
        try await lab.must(
            on: client,
            #"""
            cat >/root/client <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH
            export PGPASSWORD=\#(lab.password(of: "app"))
            until [ -e /tmp/enough ]; do
                for port in 5000 5001; do
                    sql="INSERT INTO written DEFAULT VALUES"; [ $port = 5000 ] || sql="SELECT count(*) FROM written"
                    psql -h 10.70.0.100 -p $port -U app postgres -Xq -c "$sql" 2>>/tmp/failed >/dev/null || echo $port >>/tmp/failed
                done
                echo >>/tmp/rounds
            done
            END
            systemd-run --quiet --unit writer sh /root/client
            until [ -e /tmp/rounds ]; do sleep 0.05; done
            """#)
        // A client that reads there for some seconds can finish.
        try await lab.must(
            on: client,
            """
            systemd-run --quiet --unit reader sh -c 'PGPASSWORD=\(lab.password(of: "app")) psql -h \(address(of: replica)) -p 6432 \\
                -U app postgres -XAtc "SELECT 1" -c "\\! touch /tmp/reads" -c "SELECT pg_sleep(8)" \\
                -c "SELECT 42" >/tmp/read'
            until [ -e /tmp/reads ]; do sleep 0.05; done
            """)
        let words = ["apply", "remove-pgnode", "-i", lab.inventory, "--yes", "--node", replica, "--etcd"]
        for play in ["Stop it", "Let the members forget it", "Take its data away"] {
            try await lab.kill(words, at: play)
        }
        let result = try await Command.run(lab.command(words + ["--wait"]))
        #expect(result.status == 0, "\(result.everything)")
        let counts = try await lab.must(
            on: client,
            """
            touch /tmp/enough; while systemctl is-active --quiet writer; do sleep 0.05; done
            cat /tmp/failed 2>/dev/null; wc -l </tmp/rounds
            """)
        #expect(try #require(Int(counts.trimmed), "\(counts)") > 20)
        #expect(try await lab.must(on: client, "tail -n 1 /tmp/read") == "42\n")
        #expect(try await lab.shell(on: replica, "systemctl is-active patroni pgbouncer etcd").status != 0)
        #expect(try await lab.shell(on: replica, "pgrep -x postgres; ls \(data) /etc/patroni/config.yml").output == "")
        let places = "/etc/patroni/config.yml /etc/haproxy/haproxy.cfg"
        for host in hosts where host != replica {
            #expect(try await lab.shell(on: host, "grep -F \(address(of: replica)) \(places)").output == "")
        }
        #expect(try await superuser("SELECT count(*) FROM pg_replication_slots") == "1\n")
        #expect(try await etcd("member list", on: client).linesOfOutput.count == 2)
        expectNothingChanged(try await run("apply", "remove-pgnode", "--yes", "--node", replica, "--etcd"))
        // The inventory still names it.
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
        expectNothingChanged(try await lab.apply())
        #expect(try await etcd("member list", on: client).linesOfOutput.count == 3)
    }
}
