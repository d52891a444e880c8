extension ClusterConfiguration {
    /// How many files PgBouncer opens at most: one for each client, one for each connection to its server, and a few of its own.
    ///
    /// Its documentation counts the pools of all users and databases, whose numbers are unknown; but PgBouncer makes no more
    /// connections than the server accepts. Source: PgBouncer 1.18, `max_client_conn`.
    var poolerFiles: Int { pooler.maxClientConnections + serverConnections + ClusterConfiguration.sparedFiles }

    /// With how many clients PgBouncer opens no more files than `limit`.
    func poolerClients(within limit: Int) -> Int {
        max(0, limit - serverConnections - ClusterConfiguration.sparedFiles)
    }

    private var serverConnections: Int { postgres.clientConnections + postgres.reservedConnections }

    /// What a proxy opens besides the sockets of its clients and servers.
    static let sparedFiles = 100
}
