import Testing

/// Roles that want more rights than they have. Each test leaves the cluster whole.
extension DeployClusterTests {
    private func superuser(_ statements: String, in database: String = "postgres") async throws -> String {
        let leader = try #require(try await lab.status().leader)
        return try await lab.must(
            on: leader,
            """
            cd /; runuser -u postgres -- env "PGOPTIONS=-c search_path=pg_catalog -c role=none" psql -XqAt -v ON_ERROR_STOP=1 -d \(database) <<'END'
            \(statements)
            END
            """
        ).trimmed
    }

    @Test("a role that owns databases logs in as nobody else through the pooler, and nobody as the superuser")
    func chosenPassword() async throws {
        let leader = try #require(try await lab.status().leader)
        let verifier = try await superuser(
            """
            CREATE ROLE mallory LOGIN CREATEDB PASSWORD 'chosen';
            CREATE ROLE boss LOGIN SUPERUSER PASSWORD 'unknown';
            SELECT rolpassword FROM pg_authid WHERE rolname = 'mallory';
            """)
        try await lab.must(
            on: "pg2",
            #"""
            cat >/root/lookup <<'END'
            CREATE SCHEMA pgbouncer;
            CREATE FUNCTION pgbouncer.user_search(uname text) RETURNS TABLE (usename name, passwd text)
                LANGUAGE sql AS $$ SELECT uname::name, '\#(verifier)'::text $$;
            GRANT USAGE ON SCHEMA pgbouncer TO PUBLIC;
            CREATE SCHEMA trap;
            CREATE FUNCTION trap.same(name, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
            CREATE OPERATOR trap.= (LEFTARG = name, RIGHTARG = text, FUNCTION = trap.same);
            CREATE FUNCTION trap.same(name, name) RETURNS bool LANGUAGE sql AS 'SELECT true';
            CREATE OPERATOR trap.= (LEFTARG = name, RIGHTARG = name, FUNCTION = trap.same);
            CREATE VIEW trap.pg_authid AS
                SELECT oid, rolname, '\#(verifier)'::text AS rolpassword, true AS rolcanlogin, NULL::timestamptz AS rolvaliduntil FROM pg_roles;
            GRANT USAGE ON SCHEMA trap TO PUBLIC;
            GRANT SELECT ON trap.pg_authid TO PUBLIC;
            END
            export PGPASSWORD=chosen
            psql -h 10.70.0.100 -p 5000 -U mallory -Xq -v ON_ERROR_STOP=1 postgres \
                -c 'CREATE DATABASE lair TEMPLATE template0' -c 'CREATE DATABASE den'
            for database in lair den; do
                psql -h \#(address(of: leader)) -p 5432 -U mallory -Xq $database -f /root/lookup \
                    -c "ALTER DATABASE $database SET search_path = trap, pg_catalog" || :
            done
            """#)
        // Until the replicas have the databases, they refuse everybody.
        for host in hosts {
            try await lab.must(
                on: host,
                """
                cd /; until [ "$(runuser -u postgres -- psql -XAtc 'SELECT 1' den)" = 1 ]; do sleep 0.05; done
                """)
        }
        let ways = ["10.70.0.100 5000", "10.70.0.100 5001"] + hosts.map { "\(address(of: $0)) 6432" }
        let intruders = try await lab.must(
            on: "pg2",
            """
            export PGPASSWORD=chosen PGCONNECT_TIMEOUT=10
            for way in \(ways.map { "'\($0)'" }.joined(separator: " ")); do
                for database in lair den; do
                    for role in postgres boss app; do
                        set -- $way
                        ! psql -h $1 -p $2 -U $role -XAtc "SELECT session_user || ' at $1:$2'" $database 2>/dev/null
                    done
                done
            done; :
            """)
        #expect(intruders == "")
        let superusers = try await lab.must(
            on: "pg2",
            """
            export PGPASSWORD=\(lab.password(of: "superuser"))
            for database in postgres app den; do
                ! psql -h 10.70.0.100 -p 5000 -U postgres -XAtc 'SELECT session_user' $database 2>/dev/null
            done; :
            """)
        #expect(superusers == "")
        let guests = try await lab.must(
            on: "pg2",
            """
            export PGPASSWORD=\(lab.password(of: "app"))
            for way in \(ways.map { "'\($0)'" }.joined(separator: " ")); do
                for database in app postgres den; do
                    set -- $way
                    psql -h $1 -p $2 -U app -XAtc 'SELECT session_user' $database
                done
            done
            """)
        #expect(guests == String(repeating: "app\n", count: 3 * ways.count))
        _ = try await superuser(
            """
            DROP DATABASE lair WITH (FORCE);
            DROP DATABASE den WITH (FORCE);
            DROP ROLE mallory;
            DROP ROLE boss;
            """)
        expectNothingChanged(try await lab.apply())
    }

    @Test("the owner of a database gains nothing when the superuser looks into it")
    func trap() async throws {
        try await sql("CREATE SCHEMA trap")
        for name in ["current_database()", "md5(text)", "to_regprocedure(text)"] {
            let result = name.hasPrefix("current") ? "name" : name.hasPrefix("md5") ? "text" : "regprocedure"
            try await sql(
                "CREATE FUNCTION trap.\(name) RETURNS \(result) LANGUAGE plpgsql AS "
                    + "'BEGIN ALTER ROLE app SUPERUSER; RETURN NULL; END'")
        }
        for setting in ["search_path = trap, pg_catalog", "role = app"] {
            try await sql("ALTER DATABASE app SET \(setting)")
            _ = try await lab.drover("status", "-i", lab.inventory)
            let result = try await lab.apply()
            #expect(try await superuser("SELECT rolsuper FROM pg_authid WHERE rolname = 'app'") == "f")
            expectNothingChanged(result)
        }
        _ = try await superuser(
            """
            ALTER ROLE app NOSUPERUSER;
            ALTER DATABASE app RESET search_path;
            ALTER DATABASE app RESET role;
            DROP SCHEMA trap CASCADE;
            """, in: "app")
    }

    @Test("the pooler takes more than a thousand clients at a time")
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

    @Test("a file of the pooler's that is a pipe, or leads elsewhere, keeps no run")
    func identifierFile() async throws {
        let file = "/run/postgresql/pgbouncer.pid"
        try await lab.must(
            on: "pg1", "runuser -u postgres -- mv \(file) \(file).kept && runuser -u postgres -- mkfifo \(file)")
        try await lab.must(
            on: "pg2",
            "runuser -u postgres -- mv \(file) \(file).kept && runuser -u postgres -- ln -s /etc/shadow \(file)")
        // Its clients need more files than it may open, so that the file is of use to a run.
        for host in ["pg1", "pg2"] {
            try await lab.must(on: host, "runuser -u postgres -- prlimit --pid $(pgrep -x pgbouncer) --nofile=1024:")
        }
        let begin = ContinuousClock.now
        let result = try await lab.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(result.output.contains("let pgbouncer open"), "\(result.output)")
        expectNothingChanged(try await lab.apply())
        for host in ["pg1", "pg2"] { try await lab.must(on: host, "mv -T \(file).kept \(file)") }
    }

    private func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }
}
