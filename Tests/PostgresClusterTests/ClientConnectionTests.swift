import Diagnostics
import Testing

@testable import PostgresCluster

@Suite("Client connections")
struct ClientConnectionTests {
    private static let database = [
        "postgresql_users: [{ name: app, password: x }]", "postgresql_databases: [{ db: app, owner: app }]",
    ]
    private static let address = ["cluster_vip: 10.0.0.100"]
    /// pg4 balances for members on other hosts.
    private static let apart = Sample.groups.replacing(
        "hosts: { pg1: , pg2: }", with: "hosts: { pg4: { ansible_host: 10.0.0.4 } }")
    private static let noBalancer = Sample.groups.replacing(#/ +balancers:\n.*\n/#, with: "")

    private func connection(
        _ variables: [String] = [], groups: String = Sample.groups, to role: ClientConnection.Role = .leader,
        tls: Bool = false, user: String? = nil, database: String? = nil
    ) throws -> ClientConnection {
        let text = Sample.text(Sample.variables + variables, groups: groups)
        return try ClientConnection(
            to: role, of: Sample.configuration(text, tls: tls), user: user, database: database,
            authority: "/shop/ca.crt")
    }

    @Test("through the VIP, the leader's and the replicas' ports of HAProxy")
    func address() throws {
        let variables = Self.database + Self.address
        #expect(
            try connection(variables).lines(as: .uri) == [
                "postgresql://app@10.0.0.100:5000/app?target_session_attrs=any&connect_timeout=5"
            ])
        #expect(try connection(variables, to: .replica).endpoints == [.init(host: "10.0.0.100", port: 5001)])
        #expect(
            try connection(variables + ["haproxy_listen_port: { master: 15000 }"]).endpoints == [
                .init(host: "10.0.0.100", port: 15000)
            ])
    }

    @Test("all balancers without a VIP, and the CA alone where the certificates lack their names")
    func balancers() throws {
        #expect(
            try connection(tls: true).lines(as: .psql) == [
                "psql 'host=10.0.0.1,10.0.0.2 port=5000,5000 dbname=postgres target_session_attrs=any connect_timeout=5 "
                    + "sslmode=verify-ca sslrootcert=/shop/ca.crt'"
            ])
        #expect(try connection(groups: Self.apart, tls: true).verification == .authority("/shop/ca.crt"))
        #expect(
            try connection(["tls_names: [10.0.0.4]"], groups: Self.apart, tls: true).verification
                == .full(authority: "/shop/ca.crt"))
        #expect(try connection(Self.address, tls: true).verification == .full(authority: "/shop/ca.crt"))
        #expect(try connection(["tls_cert_generate: false"], tls: true).verification == .nothing)
    }

    @Test("all members at the port of PostgreSQL where nothing balances: PgBouncer repeats an old role")
    func members() throws {
        let connection = try connection(Self.database, groups: Self.noBalancer, tls: true)
        #expect(
            connection.lines(as: .env) == [
                "export PGHOST=10.0.0.1,10.0.0.2,10.9.0.3", "export PGPORT=5432,5432,5432", "export PGDATABASE=app",
                "export PGUSER=app", "export PGTARGETSESSIONATTRS=read-write", "export PGCONNECT_TIMEOUT=5",
                "export PGSSLMODE=verify-full", "export PGSSLROOTCERT=/shop/ca.crt",
            ])
        #expect(
            try self.connection(Self.database, groups: Self.noBalancer, to: .replica).lines(as: .jdbc) == [
                "jdbc:postgresql://10.0.0.1:5432,10.0.0.2:5432,10.9.0.3:5432/app?user=app"
                    + "&targetServerType=preferSecondary&connectTimeout=5"
            ])
    }

    @Test("a VIP that follows the leader leads to its pooler, and to nobody else")
    func leaderAddress() throws {
        let leader = try connection(Self.address, groups: Self.noBalancer)
        #expect(leader.endpoints == [.init(host: "10.0.0.100", port: 6432)])
        #expect(try connection(Self.address, groups: Self.noBalancer, to: .replica).endpoints.count == 3)
    }

    @Test("names with special characters survive each notation, and no password is printed")
    func quoting() throws {
        let connection = try connection(user: "it's me", database: "a/b?c")
        #expect(
            connection.lines(as: .uri) == [
                "postgresql://it%27s%20me@10.0.0.1:5000,10.0.0.2:5000/a%2Fb%3Fc?target_session_attrs=any&connect_timeout=5"
            ])
        #expect(connection.keywords.contains(#"user='it\'s me'"#))
        for format in ConnectionFormat.allCases {
            let text = connection.lines(as: format).joined(separator: "\n")
            #expect(!text.contains("pw") && !text.contains("pool\"er"))
        }
    }

    @Test("nobody writes to a standby cluster")
    func standby() throws {
        let standby = ["patroni_standby_cluster: { host: 10.1.0.1, port: 5432 }"]
        #expect(throws: Diagnostic.self) { try connection(standby) }
        #expect(try connection(standby, to: .replica).endpoints.first?.port == 5001)
    }
}
