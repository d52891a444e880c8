import Foundation
import Testing

/// Tests of a cluster whose leader fails, with a client on pg3 that writes all the time. pg3 never leads.
protocol FailoverClient {}

extension FailoverClient {
    var lab: TestLab { TestLab.current }
    var hosts: [String] { ["pg1", "pg2", "pg3"] }

    func leader() async throws -> String { try #require(try await lab.status().leader) }

    func switchover(_ options: String...) async throws -> Command {
        try await Command.run(
            lab.inside(Drover.program) + ["apply", "switchover", "-i", lab.inventory, "--yes"] + options)
    }

    /// Waits until a failover loses nothing but what asynchronous replication may lose, and the client writes.
    ///
    /// - Parameter asynchronous: The inventory of a cluster that is not in synchronous mode.
    func settled(_ asynchronous: String? = nil) async throws {
        do {
            try await lab.eventually("the cluster is whole", inventory: asynchronous) { status in
                // Repeated faults make etcd change its leader often.
                status.findings.allSatisfy { $0.text.contains("the leader of etcd has changed") }
                    && status.members.count { $0.state == "streaming" } == 2
                    && (asynchronous != nil || status.members.contains { $0.role == "sync_standby" })
            }
        } catch {
            Issue.record("\(try await account())")
            throw error
        }
        try await writesAgain(after: try await acknowledged())
    }

    /// Starts a client that opens a connection for each row. It records when the row was acknowledged and on which timeline
    /// it was written, even if psql then reports that the server crashed.
    func startClient() async throws {
        try await lab.must(
            on: "pg3",
            #"""
            cat >/tmp/client.sh <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            cd /tmp
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while :; do
                n=$((n + 1)); sleep 0.02
                if line=$(PGCONNECT_TIMEOUT=$(cat patience) timeout 30 psql -XAtqc "INSERT INTO rows VALUES ($n)
                    RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)" 2>complaint)
                then echo $n >>/tmp/acknowledged; echo "$(date +%s.%N) $line" >>/tmp/times
                else echo "$(date +%T) $n $(cat complaint)" >>/tmp/failed; fi
            done
            END
            : >/tmp/failed; echo 30 >/tmp/patience
            systemd-run --quiet --unit client sh /tmp/client.sh
            until [ -s /tmp/acknowledged ]; do sleep 0.1; done
            """#)
    }

    /// The number of rows that were acknowledged.
    func acknowledged() async throws -> Int {
        try #require(Int(try await lab.must(on: "pg3", "wc -l </tmp/times").prefix { $0.isNumber }))
    }

    /// Waits until more than `count` rows were acknowledged.
    func writesAgain(after count: Int) async throws {
        try await lab.must(on: "pg3", "until [ \"$(wc -l </tmp/times)\" -gt \(count) ]; do sleep 0.1; done")
    }

    /// Starts a client that writes on the member itself, without PgBouncer, HAProxy or a wait for a replica.
    func writeAlone(on host: String) async throws {
        try await lab.must(
            on: host,
            #"""
            cat >/tmp/alone.sh <<'END'
            psql() { runuser -u postgres -- timeout 2 /usr/lib/postgresql/15/bin/psql -XAtq -h /var/run/postgresql postgres -c "$1"; }
            psql 'CREATE TABLE IF NOT EXISTS alone (n int)'
            while :; do
                sleep 0.02
                line=$(psql "SET synchronous_commit = local; INSERT INTO alone VALUES (1)
                    RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)") && echo "$(date +%s.%N) $line" >>/tmp/alone
            done
            END
            rm -f /tmp/alone; cd /tmp
            systemd-run --quiet --collect --unit alone sh /tmp/alone.sh
            until [ -s /tmp/alone ]; do sleep 0.1; done
            """#)
    }

    /// Stops the client of `writeAlone`.
    ///
    /// - Returns: When it last wrote on `timeline` or an earlier one, in seconds since 1970. The member may have become the
    ///   leader again since.
    func lastAlone(on host: String, upTo timeline: Int) async throws -> Double {
        let lines = try await lab.must(on: host, "systemctl stop alone; cat /tmp/alone").linesOfOutput
        let times = lines.compactMap { line -> Double? in
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1], radix: 16), number <= timeline else { return nil }
            return Double(words[0])
        }
        return try #require(times.last)
    }

    /// Expects that the cluster has recovered, with nothing to change and no acknowledged row lost.
    func expectWhole() async throws {
        try await settled()
        expectNothingChanged(try await lab.apply())
        try await expectEveryRow()
    }

    /// Expects that no acknowledged row is lost.
    func expectEveryRow() async throws {
        let missing = try await missingRows()
        if missing.isEmpty { return }
        Issue.record("acknowledged rows are lost: \(missing)\n\(try await account())")
    }

    /// The acknowledged rows that the cluster has lost.
    func missingRows() async throws -> [Int] {
        let missing = try await lab.must(
            on: "pg3",
            """
            cd /tmp; sort acknowledged >told
            PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p 5000 -U app app -XAtqc 'SELECT n FROM rows' >found
            sort found >rows
            comm -23 told rows
            """)
        return missing.linesOfOutput.compactMap { Int($0) }
    }

    /// What the reachable members log about a failure.
    func account() async throws -> String {
        var account = ""
        for host in hosts {
            account += try await lab.shell(
                on: host,
                """
                echo "\(host):"
                runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT pg_is_in_recovery(), count(*), max(n) FROM rows' app
                runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT application_name, state, sync_state, write_lsn, flush_lsn,
                    pg_current_wal_flush_lsn(), current_setting($$synchronous_standby_names$$) FROM pg_stat_replication' app
                \(TestLab.etcdctl) get --prefix /service/lab/sync
                curl --silent --insecure --max-time 5 https://\(address(of: host)):8008/cluster
                journalctl --unit=patroni --unit=patroni-fence --no-pager --output=short-precise |
                    grep -E '(INFO|WARNING|ERROR|LOG|FATAL):? |PostgreSQL' |
                    grep -Ev 'no action|waiting for WAL' | tail -n 100
                """
            ).everything
        }
        return account
    }

    func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }

    func seconds(_ text: String) -> Double? { Double(text.filter { !$0.isNewline }) }

    /// Prints a measurement, for people who compare runs.
    func report(_ what: String, _ duration: Duration) {
        print("failover: \(what) \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))")
    }
}
