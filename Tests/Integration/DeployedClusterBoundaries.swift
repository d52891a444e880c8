import Testing

/// What those cannot do who have a part of a cluster in their hands. Each test leaves the cluster as it was.
extension DeployClusterTests {
    /// Runs SQL on the leader as the superuser, who logs in there without a password.
    @discardableResult
    private func superuser(_ statements: String...) async throws -> String {
        let leader = try #require(try await lab.status().leader)
        let words = statements.map { "-c \"\($0)\"" }.joined(separator: " ")
        return try await lab.must(
            on: leader,
            "cd / && runuser -u postgres -- psql -h /var/run/postgresql -v ON_ERROR_STOP=1 -XAtq \(words) postgres")
    }

    @Test("a database superuser becomes the system user postgres, who writes nothing and reads no secret of root's")
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
        let lines = try await superuser(
            "CREATE TEMP TABLE seen (line text)", "COPY seen FROM PROGRAM '\(script.replacing("$", with: "\\$"))'",
            "SELECT line FROM seen"
        ).linesOfOutput
        #expect(lines.first == "postgres")
        // Files of daemons that run as postgres themselves.
        let own = [
            "/var/lib/postgresql", "/var/log/postgresql", "/etc/postgresql", "/etc/pgbouncer", "/etc/patroni",
            "/etc/ssl/drover/postgres.key", "/run/postgresql", "/run/lock",
        ]
        let others = lines.dropFirst().filter { line in !own.contains { line == $0 || line.hasPrefix("\($0)/") } }
        #expect(others == [])
    }

    @Test("an expired password is refused by a pooler that has connections of its role")
    func expiredPassword() async throws {
        try await superuser("CREATE ROLE guest LOGIN PASSWORD 'welcome'")
        func logIn() async throws -> Command {
            try await lab.shell(
                on: "pg2", "PGPASSWORD=welcome psql -h 10.70.0.100 -p 5000 -U guest app -XAtqc 'SELECT current_user'")
        }
        #expect(try await logIn().output == "guest\n")
        try await superuser("ALTER ROLE guest VALID UNTIL '2020-01-01'")
        let refused = try await logIn()
        #expect(refused.status == 2, "\(refused.everything)")
        try await superuser("DROP ROLE guest")
    }
}
