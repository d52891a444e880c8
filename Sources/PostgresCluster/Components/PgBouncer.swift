public import Engine
public import Inventory
import Secrets
import SystemResources
import Templates

/// What goes into `/etc/pgbouncer/pgbouncer.ini`.
struct PgBouncerConfiguration: ConfigurationFile {
    static let template = "pgbouncer.ini"

    let postgresPort: Int
    let authUser: String
    let lookup: String
    let poolMode: String
    let maxClientConnections: Int
    let defaultPoolSize: Int
    let queryWaitTimeout: Int
    let ignoredParameters: String
    let options: [Parameter]
    let pools: [Pool]
    let tls: TLSFiles?
    /// Whether clients must show a certificate, in PgBouncer's words.
    let clientMode: String
    let tlsOptions: [Parameter]

    struct Pool: Codable {
        let name: String
        let database: String
        let parameters: [Parameter]
    }

    struct Parameter: Codable {
        let name: String
        let value: String
    }

    enum CodingKeys: String, CodingKey {
        case postgresPort = "postgres_port", authUser = "auth_user"
        case lookup, poolMode = "pool_mode"
        case maxClientConnections = "max_client_connections", defaultPoolSize = "default_pool_size"
        case queryWaitTimeout = "query_wait_timeout", ignoredParameters = "ignored_parameters", options, pools, tls
        case clientMode = "client_tls_mode", tlsOptions = "tls_options"
    }
}

/// What goes into `/etc/pgbouncer/listen.ini`: what a reload does not change (`CF_NO_RELOAD` in PgBouncer's own table).
struct PgBouncerListening: ConfigurationFile {
    static let template = "pgbouncer.listen.ini"

    let listening: String
    let port: Int
}

/// What goes into `/etc/pgbouncer/userlist.txt`: the one login that is not looked up, because it looks up the others.
struct PgBouncerUsers: ConfigurationFile {
    static let template = "pgbouncer.userlist.txt"

    let name: String
    @TemplateSecret var password: Secret
}

extension Cluster {
    /// The databases in which PgBouncer looks up passwords in any case.
    var databasesWithLookup: [String] { ["template1", "postgres"] + configuration.databases.map(\.name) }

    /// The pooler of one member, in front of its own server.
    @ResourceBuilder
    public func pgbouncer(on host: Host) throws -> [any Resource] {
        if let node = member(host) {
            let pooler = configuration.pooler
            File(
                "/etc/pgbouncer/userlist.txt",
                containing: try templates.render(
                    PgBouncerUsers(name: pooler.login.name, password: doublingQuotes(pooler.login.password))),
                owner: "postgres", group: "postgres", mode: 0o640)
            File(
                "/etc/pgbouncer/listen.ini",
                containing: try templates.render(
                    PgBouncerListening(listening: configuration.listening(of: node), port: pooler.port)),
                owner: "postgres", group: "postgres", mode: 0o640)
            if let statements = pooler.preparedStatements {
                PgBouncerFile(
                    able: try pgbouncerFile(
                        and: [.init(name: "max_prepared_statements", value: "\(statements)")]),
                    unable: try pgbouncerFile(), candidate: candidate(of: "pgbouncer", on: host))
            } else {
                try pgbouncerFile()
            }
            try settings(of: PgBouncerUnitSettings.self, on: host)
            RaisedFileLimit(
                limit: OpenFilesLimit(unit: "pgbouncer"), user: "postgres", files: configuration.poolerFiles)
            Service(
                "pgbouncer", restartedBy: ["/etc/pgbouncer/listen.ini"],
                reloadedBy: ["/etc/pgbouncer/pgbouncer.ini", "/etc/pgbouncer/userlist.txt"] + identityFiles)
        }
    }

    private func pgbouncerFile(and options: [PgBouncerConfiguration.Parameter] = []) throws -> File {
        let pooler = configuration.pooler
        return File(
            "/etc/pgbouncer/pgbouncer.ini",
            containing: try templates.render(
                PgBouncerConfiguration(
                    postgresPort: configuration.postgres.port,
                    authUser: pooler.login.name,
                    lookup: PoolerLookup.query(without: configuration.patroni.superuser.name).reveal(),
                    poolMode: pooler.mode.rawValue, maxClientConnections: pooler.maxClientConnections,
                    defaultPoolSize: pooler.defaultPoolSize,
                    queryWaitTimeout: pooler.queryWaitTimeout, ignoredParameters: pooler.ignoredParameters,
                    options: pooler.options.map { .init(name: $0.name, value: $0.value) } + options,
                    pools: pooler.pools.map(PgBouncerConfiguration.Pool.init),
                    tls: configuration.tls.map { _ in TLSFiles(.postgres) },
                    clientMode: pooler.tls.clientMode.rawValue,
                    tlsOptions: pooler.tls.options.map { .init(name: $0.name, value: $0.value) })),
            owner: "postgres", group: "postgres", mode: 0o640)
    }

    /// In the list of users a quote inside a quoted text stands twice.
    private func doublingQuotes(_ secret: Secret) -> Secret {
        Secret(secret.reveal().unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())
    }
}

extension PgBouncerConfiguration.Pool {
    fileprivate init(_ pool: ClusterConfiguration.Pooler.Pool) {
        self.init(
            name: pool.name, database: pool.database ?? pool.name,
            parameters: pool.parameters.map { .init(name: $0.name, value: $0.value) })
    }
}
