import Testing

/// The pooler of each member.
@Suite("PgBouncer", .lab(from: .deployed))
struct PoolerTests {
    private var lab: TestLab { TestLab.current }

    @Test("the pooler refuses an expired password while it has connections of the role")
    func expiredPassword() async throws {
        try await lab.leaderSQL("CREATE ROLE guest LOGIN PASSWORD 'welcome';")
        func logIn() async throws -> Command {
            try await lab.shell(
                on: "pg2", "PGPASSWORD=welcome psql -h 10.70.0.100 -p 5000 -U guest app -XAtqc 'SELECT current_user'")
        }
        #expect(try await logIn().output == "guest\n")
        try await lab.leaderSQL("ALTER ROLE guest VALID UNTIL '2020-01-01';")
        let refused = try await logIn()
        #expect(refused.status == 2, "\(refused.everything)")
    }

    @Test("the pooler serves more than a thousand clients at a time")
    func manyClients() async throws {
        let answered = try await lab.must(
            on: "pg1",
            #"""
            ulimit -n 2000
            perl -e '
                use IO::Socket::INET;
                for (1..1500) {
                    my $s = IO::Socket::INET->new(PeerAddr => "10.70.0.12:6432", Timeout => 5) or last;
                    push @open, $s;
                    syswrite $s, pack("NN", 8, 80877103);
                    my $waiting = ""; vec($waiting, fileno($s), 1) = 1;
                    select($waiting, undef, undef, 5) or last;
                    sysread($s, my $answer, 1) or last;
                    $count++;
                }
                print $count + 0;
            '
            """#)
        #expect(answered == "1500")
    }

    @Test("a running pooler may open more files when its clients or the server's connections become more")
    func moreFiles() async throws {
        let process = "systemctl show -P MainPID pgbouncer"
        let before = try await lab.must(on: "pg1", process)
        let more = try lab.inventory(replacing: [("pgbouncer_max_client_conn: 4000", "pgbouncer_max_client_conn: 5000")]
        )
        let result = try await lab.apply(more)
        #expect(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("let pgbouncer open"), "\(result.output)")
        #expect(try await lab.must(on: "pg1", process) == before)
        expectNothingChanged(try await lab.apply(more))
    }

    @Test("a PID file of the pooler that is a pipe or a symbolic link stops no run")
    func identifierFile() async throws {
        let file = "/run/postgresql/pgbouncer.pid"
        try await lab.must(
            on: "pg1", "runuser -u postgres -- mv \(file) \(file).kept && runuser -u postgres -- mkfifo \(file)")
        try await lab.must(
            on: "pg2",
            "runuser -u postgres -- mv \(file) \(file).kept && runuser -u postgres -- ln -s /etc/shadow \(file)")
        // With this limit the pooler cannot serve its clients, so a run has a reason to read the file.
        for host in ["pg1", "pg2"] {
            try await lab.must(on: host, "runuser -u postgres -- prlimit --pid $(pgrep -x pgbouncer) --nofile=1024:")
        }
        let begin = ContinuousClock.now
        let result = try await lab.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(result.output.contains("let pgbouncer open"), "\(result.output)")
        expectNothingChanged(try await lab.apply())
    }
}
