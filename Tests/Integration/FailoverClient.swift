import Foundation
import Testing

/// Tests with a client that writes all the time, on pg3, which never leads; and the account of the members of a fault.
protocol FailoverClient {
    /// The timers of Patroni in seconds.
    var ttl: Int { get }
    var loopWait: Int { get }
    func inventory() throws -> String
}

extension FailoverTests: FailoverClient {
    func inventory() throws -> String { try inventory(parameters: "max_connections: 200") }

    func inventory(parameters: String, name: String = "failover") throws -> String {
        var text = try String(contentsOfFile: lab.inventory, encoding: .utf8)
        let list = parameters.split(separator: ", ").map { parameter in
            "      - { option: \(parameter.replacing(": ", with: ", value: ")) }\n"
        }
        for (old, new) in [
            ("      - { option: max_connections, value: 200 }\n", list.joined()),
            (
                "    cluster_vip:",
                "    synchronous_mode: true\n    patroni_preset: fast\n    patroni_ttl: \(ttl)\n"
                    + "    patroni_loop_wait: \(loopWait)\n    patroni_retry_timeout: 4\n    cluster_vip:"
            ),
            ("pg3: { ansible_host", "pg3: { patroni_tags: 'nofailover=true,nosync=true', ansible_host"),
        ] {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        let path = "\(lab.folder)/\(name).yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

}

extension FailoverClient {
    var lab: TestLab { TestLab.current }
    var hosts: [String] { ["pg1", "pg2", "pg3"] }

    func switchover(_ options: String...) async throws -> Command {
        let words = ["apply", "switchover", "-i", try inventory(), "--yes"] + options
        return try await Command.run([Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words)
    }

    func leader() async throws -> String { try #require(try await lab.status(inventory()).leader) }

    /// Waits until a failover would lose nothing, or nothing but what asynchronous replication may, and the client writes.
    ///
    /// - Parameter asynchronous: the inventory of a cluster that is not in synchronous mode.
    func settled(_ asynchronous: String? = nil) async throws {
        do {
            try await lab.eventually("the cluster is whole", inventory: asynchronous ?? inventory()) { status in
                // That etcd loses its leader often is the doing of who repeats the faults.
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

    /// A client that connects anew for each row. It notes when a row was acknowledged, and on which timeline it was written;
    /// the server may crash just after that, and complain.
    func startClient() async throws {
        try await lab.must(
            on: "pg3",
            #"""
            cat >/tmp/client.sh <<'END'
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            cd /tmp
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while [ ! -e /tmp/stop ]; do
                n=$((n + 1))
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

    /// One that nobody else uses: PgBouncer forgets it when it has closed its connections.
    func useAnotherDatabase() async throws {
        let query = "psql -h 10.70.0.100 -p 5000 -U app -XAtqc 'SELECT 1' postgres"
        try await lab.must(on: "pg3", "PGPASSWORD=\(lab.password(of: "app")) PGCONNECT_TIMEOUT=10 \(query)")
    }

    func acknowledged() async throws -> Int {
        try #require(Int(try await lab.must(on: "pg3", "wc -l </tmp/times").prefix { $0.isNumber }))
    }

    func writesAgain(after count: Int) async throws {
        try await lab.must(on: "pg3", "until [ \"$(wc -l </tmp/times)\" -gt \(count) ]; do sleep 0.1; done")
    }

    /// Causes a fault, and waits until the client writes again: within the time that Patroni may take, and nothing is lost.
    func outage(_ fault: String, _ body: () async throws -> Void) async throws {
        let before = try await acknowledged()
        try await lab.must(on: "pg3", "echo 2 >/tmp/patience")
        try await body()
        // What was on its way is acknowledged in spite of the fault, and the gap comes after it.
        let serves = try await lab.shell(
            on: "pg3",
            """
            begin=$(date +%s)
            until [ $(( $(date +%s) - begin )) -ge 3 ] && [ "$(tail -n 1 /tmp/times | cut -d . -f 1)" -ge $(( $(date +%s) - 1 )) ]
            do [ $(( $(date +%s) - begin )) -lt 120 ] || exit 1; sleep 0.2; done
            """)
        let account = serves.status == 0 ? "" : try await account()
        try #require(serves.status == 0, "\(fault): nobody can write any more\n\(account)")
        let gap = try await lab.must(
            on: "pg3",
            "tail -n +\(before) /tmp/times | awk '{ if (last && $1 - last > gap) gap = $1 - last; last = $1 } END { print gap }'"
        )
        let seconds = try #require(self.seconds(gap))
        report("\(fault), nothing acknowledged for", .seconds(seconds))
        #expect(seconds < Double(ttl + loopWait), "\(fault)")
        try await expectEveryRow()
        try await lab.must(on: "pg3", ": >/tmp/failed")
    }

    /// Writes on a member itself, past everything, and without waiting for a replica.
    func writeAlone(on host: String) async throws {
        try await lab.must(
            on: host,
            #"""
            cat >/tmp/alone.sh <<'END'
            psql() { runuser -u postgres -- timeout 2 /usr/lib/postgresql/15/bin/psql -XAtq -h /var/run/postgresql postgres -c "$1"; }
            psql 'CREATE TABLE IF NOT EXISTS alone (n int)'
            while :; do
                line=$(psql "SET synchronous_commit = local; INSERT INTO alone VALUES (1)
                    RETURNING left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)") && echo "$(date +%s.%N) $line" >>/tmp/alone
            done
            END
            rm -f /tmp/alone; cd /tmp
            systemd-run --quiet --collect --unit alone sh /tmp/alone.sh
            until [ -s /tmp/alone ]; do sleep 0.1; done
            """#)
    }

    /// Ends what writes alone on a member.
    ///
    /// - Returns: when it wrote last on a timeline or one before, in seconds since 1970. The member may have led again since.
    func lastAlone(on host: String, upTo timeline: Int) async throws -> Double {
        let lines = try await lab.must(on: host, "systemctl stop alone; cat /tmp/alone").linesOfOutput
        let times = lines.compactMap { line -> Double? in
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1], radix: 16), number <= timeline else { return nil }
            return Double(words[0])
        }
        return try #require(times.last)
    }

    func expectEveryRow() async throws {
        let missing = try await missingRows()
        if missing.isEmpty { return }
        Issue.record("acknowledged rows are lost: \(missing)\n\(try await account())")
    }

    /// The rows that were acknowledged and are not there.
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

    /// What the members that can be reached have to say about a failure.
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
                journalctl --unit=patroni --no-pager --output=short-precise | grep -E '(INFO|WARNING|ERROR|LOG|FATAL):? ' |
                    grep -Ev 'no action|waiting for WAL' | tail -n 100
                """
            ).everything
        }
        return account
    }

    func expectNoFailedStatement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await lab.must(on: "pg3", "cat /tmp/failed") == "", sourceLocation: sourceLocation)
    }

    func shown(_ parameter: String) -> String {
        "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SHOW \(parameter)'"
    }

    func show(_ parameter: String, on host: String) async throws -> String {
        try await lab.must(on: host, shown(parameter))
    }

    func serverStarts() async throws -> [String] {
        var starts: [String] = []
        for host in hosts {
            starts.append(
                try await lab.must(
                    on: host,
                    "runuser -u postgres -- psql -h /var/run/postgresql -Atc 'SELECT pg_postmaster_start_time()'"))
        }
        return starts
    }

    func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }

    func seconds(_ text: String) -> Double? { Double(text.filter { !$0.isNewline }) }

    /// What a person wants to know beyond that it held.
    func report(_ what: String, _ duration: Duration) {
        print("failover: \(what) \(duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))")
    }
}
