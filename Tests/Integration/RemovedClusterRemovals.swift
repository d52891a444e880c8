import Testing

/// What is taken away of a cluster: a balancer, the whole, and a node of the one that is made then.
extension RemoveClusterTests {
    // MARK: A node, a balancer

    @Test(
        "neither the leader may go, nor what etcd needs for its quorum: exit code 9; nor a host that is none: exit code 1"
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
        try await lab.must(on: replicas[1], "systemctl start etcd")
        try await lab.eventually("the cluster is whole") { $0.findings.isEmpty }
    }

    @Test("the balancer that holds the address goes, and exactly one other holds it; a deployment brings it back")
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

    // MARK: The removal

    @Test("killed at every other play and run again, it ends: nothing runs, nothing is lost, and the others' keys stay")
    func removal() async throws {
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
    }

    @Test("what was set aside is the whole database")
    func whole() async throws {
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
        try await lab.must(
            on: "pg1",
            """
            \(control) stop -m fast
            for path in \(data) /srv/space; do mv -T $path $path.removed-20260101T000000Z; done
            """)
    }

    @Test("etcd goes as soon as nobody else needs it; with --purge nothing is left; a deployment makes a new cluster")
    func purge() async throws {
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

    // MARK: A node of the new cluster

    @Test("a replica goes, out of etcd too, in a run that was killed thrice, and no statement of a client fails")
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
        // One who reads there for some seconds gets to finish.
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
        // It still stands in the inventory.
        let back = try await lab.apply()
        #expect(back.status == 0, "\(back.everything)")
        expectNothingChanged(try await lab.apply())
        #expect(try await etcd("member list", on: client).linesOfOutput.count == 3)
    }
}
