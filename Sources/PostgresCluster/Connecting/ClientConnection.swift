import Diagnostics
import FoundationEssentials
public import Inventory

/// How clients connect to a cluster: what the inventory says, without a question to any host and without a password.
public struct ClientConnection: Hashable, Sendable {
    /// The members that a client wants.
    public enum Role: String, CaseIterable, Sendable {
        case leader, replica
    }

    /// A host and port that a client tries.
    public struct Endpoint: Hashable, Sendable {
        public let host: String
        public let port: Int
    }

    /// How much of the server's certificate a client checks.
    public enum Verification: Hashable, Sendable {
        /// The CA and the host name.
        case full(authority: String)
        /// The CA alone: the certificate does not have the name of a balancer.
        case authority(String)
        /// Nothing: the certificates are not Drover's, so the file of their CA is unknown.
        case nothing
    }

    /// In the order in which a client tries them.
    public let endpoints: [Endpoint]
    public let role: Role
    /// Nil for the name of the system user, as libpq has it.
    public let user: String?
    public let database: String
    /// Nil without TLS.
    public let verification: Verification?
    /// Whether the endpoints lead to members of the role, so that the client need not choose among them.
    let isRouted: Bool

    /// Seconds for each endpoint.
    static let timeout = 5

    /// - Parameters:
    ///   - user: nil for the owner of the database.
    ///   - database: nil for the first one of the inventory.
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory, or when the cluster has no such member.
    public init(
        to role: Role, of inventory: Inventory, user: String? = nil, database: String? = nil
    ) throws {
        try self.init(
            to: role, of: ClusterConfiguration(inventory), user: user, database: database,
            authority: ClusterSafe.folder(of: inventory).map { folder in
                // A client may run in any directory.
                let start = folder.hasPrefix("/") ? "" : "\(FileManager.default.currentDirectoryPath)/"
                return "\(start)\(folder)/ca.crt"
            })
    }

    init(
        to role: Role, of configuration: ClusterConfiguration, user: String?, database: String?, authority: String?
    ) throws {
        if role == .leader, configuration.patroni.standby != nil {
            throw Diagnostic(
                "\(configuration.name) is a standby cluster, which accepts no writes", remedy: "give --role replica")
        }
        self.role = role
        self.database = database ?? configuration.databases.first?.name ?? "postgres"
        self.user = user ?? configuration.owner(of: self.database)
        (endpoints, isRouted) = configuration.endpoints(of: role)
        verification = configuration.verification(of: endpoints.map(\.host), isRouted: isRouted, by: authority)
    }
}

extension ClusterConfiguration {
    /// Nil for a database that is not in the inventory, and for an owner that cannot log in.
    fileprivate func owner(of database: String) -> String? {
        let owner = databases.first { $0.name == database }?.owner
        return users.first { $0.name == owner }?.canLogIn == false ? nil : owner
    }

    /// Where the members of a role are found, and whether something leads there to them.
    fileprivate func endpoints(
        of role: ClientConnection.Role
    ) -> (endpoints: [ClientConnection.Endpoint], isRouted: Bool) {
        if !balancers.isEmpty {
            let port = role == .leader ? balancing.ports.leader : balancing.ports.replicas
            let hosts = balancing.address.map { [$0] } ?? balancers.map(\.address)
            return (hosts.map { .init(host: $0, port: port) }, true)
        }
        if role == .leader, let address = balancing.address { return ([.init(host: address, port: pooler.port)], true) }
        // PgBouncer repeats the parameters of the first connection to its server, also after that was promoted: with it
        // libpq takes a new leader for a replica. The server itself reports what it is.
        return (members.map { .init(host: $0.address, port: postgres.port) }, false)
    }

    /// - Parameter hosts: where clients connect to.
    fileprivate func verification(
        of hosts: [String], isRouted: Bool, by authority: String?
    ) -> ClientConnection.Verification? {
        guard let tls else { return nil }
        guard tls.isIssued, let authority else { return .nothing }
        let certified = members.map { certificateNames(of: $0, as: .postgres) }
        let isNamed = !isRouted || hosts.allSatisfy { host in certified.allSatisfy { $0.contains(host) } }
        return isNamed ? .full(authority: authority) : .authority(authority)
    }
}
