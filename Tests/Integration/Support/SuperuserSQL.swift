extension TestLab {
    /// Runs SQL on a host as the superuser of its server, and returns what it printed, without the last line break.
    ///
    /// - Parameters:
    ///   - database: The database to connect to.
    ///   - options: Options of `psql`, such as those for a server that is not the cluster's.
    @discardableResult
    func superuserSQL(
        _ statement: String, on host: String = "pg1", in database: String = "app", _ options: String = ""
    ) async throws -> String {
        try await must(
            on: host,
            "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 \(options) -d \(database) -c \"\(statement)\""
        ).trimmed
    }

    /// The words that confirm what destroys the data of the cluster `lab`.
    func confirmation(on host: String = "pg1") async throws -> String {
        "lab@" + (try await superuserSQL("SELECT system_identifier FROM pg_control_system()", on: host))
    }
}
