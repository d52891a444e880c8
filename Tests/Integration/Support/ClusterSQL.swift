import Testing

extension TestLab {
    /// Runs SQL as a client does, with a password and through the VIP, and returns what it printed.
    ///
    /// - Parameter port: 5000 for the leader, 5001 for a replica.
    @discardableResult
    func appSQL(_ statement: String, port: Int = 5000) async throws -> String {
        try await must(
            on: "pg2",
            "PGPASSWORD=\(password(of: "app")) psql -h 10.70.0.100 -p \(port) -U app app -XAtqc \"\(statement)\"")
    }

    /// Runs SQL on the leader as the superuser, and returns what it printed.
    ///
    /// - Parameter statements: Each ends with a semicolon and is a transaction of its own.
    @discardableResult
    func leaderSQL(_ statements: String, in database: String = "postgres") async throws -> String {
        let leader = try #require(try await status().leader)
        return try await must(
            on: leader,
            """
            cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 -d \(database) <<'END'
            \(statements)
            END
            """)
    }
}
