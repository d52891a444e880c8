import Testing

/// Roles that try to gain more rights than they have.
@Suite("Rights of database roles", .lab(from: .deployed))
struct PrivilegeTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    @Test("a database superuser is the system user postgres, who writes no file of others and reads no secret of root")
    func databaseSuperuser() async throws {
        let hidden = [
            "/etc/shadow", "/etc/keepalived/keepalived.conf", "/etc/patroni/api.curl", "/root/.ssh/authorized_keys",
            "/var/lib/drover/runs", "/run/haproxy/admin.sock",
        ]
        let search = """
            id -un; sudo -n id -u 2>/dev/null; for file in \(hidden.joined(separator: " ")); do test -r $file && echo $file; \
            done; find / /run -xdev ( -path /tmp -o -path /var/tmp -o -path /proc -o -path /dev -o -path /sys ) -prune -o \
            ( -type f -o -type d ) -writable -print 2>/dev/null; true
            """.replacing("( ", with: "'(' ").replacing(" )", with: " ')'")
        let script = search.replacing("'", with: "''")
        // The hosts of the snapshot have packages that this cluster does not need. One has files of postgres.
        for host in hosts { try await lab.must(on: host, "apt-get -qq purge pgbackrest >/dev/null") }
        let lines = try await lab.leaderSQL(
            """
            CREATE TEMP TABLE seen (line text);
            COPY seen FROM PROGRAM '\(script)';
            SELECT line FROM seen;
            """
        ).linesOfOutput
        #expect(lines.first == "postgres")
        // Files of daemons that run as postgres themselves.
        let own = [
            "/var/lib/postgresql", "/var/log/postgresql", "/etc/postgresql", "/etc/pgbouncer", "/etc/patroni",
            "/etc/ssl/drover/postgres.key", "/etc/ssl/drover/etcd-client.key", "/run/postgresql", "/run/lock",
        ]
        let others = lines.dropFirst().filter { line in !own.contains { line == $0 || line.hasPrefix("\($0)/") } }
        #expect(others == [])
    }

    @Test("the pooler admits the owner of a database under no other name, and nobody as the superuser")
    func chosenPassword() async throws {
        let leader = try #require(try await lab.status().leader)
        try await lab.leaderSQL(
            """
            CREATE ROLE mallory LOGIN CREATEDB PASSWORD 'chosen';
            CREATE ROLE boss LOGIN SUPERUSER PASSWORD 'unknown';
            """)
        // The tests beside this one look for verifiers in the arguments of all processes: it stays on the host.
        try await lab.must(
            on: "pg2",
            #"""
            until [ -n "$verifier" ]; do
                verifier=$(cd /; runuser -u postgres -- psql -XAtc "SELECT rolpassword FROM pg_authid WHERE rolname = 'mallory'")
            done
            cat >/root/lookup <<END
            CREATE SCHEMA pgbouncer;
            CREATE FUNCTION pgbouncer.user_search(uname text) RETURNS TABLE (usename name, passwd text)
                LANGUAGE sql AS \$\$ SELECT uname::name, '$verifier'::text \$\$;
            GRANT USAGE ON SCHEMA pgbouncer TO PUBLIC;
            CREATE SCHEMA trap;
            CREATE FUNCTION trap.same(name, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
            CREATE OPERATOR trap.= (LEFTARG = name, RIGHTARG = text, FUNCTION = trap.same);
            CREATE FUNCTION trap.same(name, name) RETURNS bool LANGUAGE sql AS 'SELECT true';
            CREATE OPERATOR trap.= (LEFTARG = name, RIGHTARG = name, FUNCTION = trap.same);
            CREATE VIEW trap.pg_authid AS
                SELECT oid, rolname, '$verifier'::text AS rolpassword, true AS rolcanlogin, NULL::timestamptz AS rolvaliduntil FROM pg_roles;
            GRANT USAGE ON SCHEMA trap TO PUBLIC;
            GRANT SELECT ON trap.pg_authid TO PUBLIC;
            END
            export PGPASSWORD=chosen
            psql -h 10.70.0.100 -p 5000 -U mallory -Xq -v ON_ERROR_STOP=1 postgres \
                -c 'CREATE DATABASE lair TEMPLATE template0' -c 'CREATE DATABASE den'
            for database in lair den; do
                psql -h \#(lab.address(of: leader)) -p 5432 -U mallory -Xq $database -f /root/lookup \
                    -c "ALTER DATABASE $database SET search_path = trap, pg_catalog" || :
            done
            """#)
        // A replica refuses everybody until it has the databases.
        for host in hosts {
            try await lab.must(
                on: host,
                """
                cd /; until [ "$(runuser -u postgres -- psql -XAtc 'SELECT 1' den)" = 1 ]; do sleep 0.05; done
                """)
        }
        let ways = ["10.70.0.100 5000", "10.70.0.100 5001"] + hosts.map { "\(lab.address(of: $0)) 6432" }
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
        expectNothingChanged(try await lab.apply())
    }

    @Test("the owner of a database gains no rights when Drover queries it as the superuser")
    func trap() async throws {
        try await lab.appSQL("CREATE SCHEMA trap")
        for name in ["current_database()", "md5(text)", "to_regprocedure(text)"] {
            let result = name.hasPrefix("current") ? "name" : name.hasPrefix("md5") ? "text" : "regprocedure"
            try await lab.appSQL(
                "CREATE FUNCTION trap.\(name) RETURNS \(result) LANGUAGE plpgsql AS "
                    + "'BEGIN ALTER ROLE app SUPERUSER; RETURN NULL; END'")
        }
        for setting in ["search_path = trap, pg_catalog", "role = app"] {
            try await lab.appSQL("ALTER DATABASE app SET \(setting)")
            _ = try await lab.drover("status", "-i", lab.inventory)
            let result = try await lab.apply()
            #expect(try await lab.leaderSQL("SELECT rolsuper FROM pg_authid WHERE rolname = 'app';") == "f\n")
            expectNothingChanged(result)
        }
    }
}
