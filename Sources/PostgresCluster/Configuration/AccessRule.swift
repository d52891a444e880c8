import Diagnostics
import Secrets
public import YAML

extension ClusterConfiguration {
    /// A rule of `pg_hba.conf`: who may log in to what, from where, and how.
    public struct AccessRule: Sendable, Equatable {
        public let connection: Connection
        public let databases: String
        public let users: String
        /// Nil for local connections.
        public let address: String?
        public let method: Method
        /// In the words of PostgreSQL: `clientcert=verify-full`.
        public let options: String?

        /// The kind of connection that a rule is for.
        public enum Connection: String, CaseIterable, Sendable {
            case local, host, hostssl, hostnossl
        }

        /// Those that PostgreSQL 15 knows.
        public enum Method: String, CaseIterable, Sendable {
            case trust, reject, scram = "scram-sha-256", md5, password, gss, sspi, ident, peer, ldap, radius, cert, pam
        }

        /// The line of the file.
        var line: String {
            [connection.rawValue, databases, users, address, method.rawValue, options].compactMap(\.self)
                .joined(separator: " ")
        }

        /// A line of the file, with the passwords in it masked, and what stands behind them: quotes may be anywhere there.
        static func masking(_ line: String) -> MaskedText {
            guard let secret = line.firstRange(of: /(ldapbindpasswd|radiussecrets)[ \t]*=/.ignoresCase()) else {
                return MaskedText(line)
            }
            var text = MaskedText(String(line[..<secret.upperBound]))
            text.append(Secret(String(line[secret.upperBound...])))
            return text
        }

        /// The default: everybody with a password, but for the superuser.
        static func customary(with connection: Connection) -> [AccessRule] {
            [
                AccessRule(
                    connection: .host, databases: "all", users: "postgres", address: "all", method: .reject,
                    options: nil),
                AccessRule(
                    connection: connection, databases: "all", users: "all", address: "0.0.0.0/0", method: .scram,
                    options: nil),
            ]
        }
    }
}

extension ClusterConfiguration.AccessRule.Connection: YAMLDecodable {}
extension ClusterConfiguration.AccessRule.Method: YAMLDecodable {}

extension ClusterConfiguration.AccessRule: YAMLDecodable {
    /// `{ type: host, database: app, user: app, address: 10.0.0.0/8, method: scram-sha-256, options: … }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a rule of pg_hba.conf")
        let connection: Connection? = reader.required("type")
        let databases: String? = reader.required("database")
        let users: String? = reader.required("user")
        let given: String? = reader.optional("address")
        let method: Method? = reader.required("method")
        let options: String? = reader.optional("options")
        let address = given.flatMap { $0.isEmpty ? nil : $0 }
        if let connection, (connection == .local) != (address == nil) {
            reader.diagnostics.report(
                connection == .local ? "a local connection has no address" : "the rule has no address",
                at: node.location,
                remedy: connection == .local ? "take the address out" : "write an address, such as 10.0.0.0/8")
        }
        for text in [databases, users, address].compactMap(\.self) where text.isEmpty || !Self.isOneField(text) {
            reader.diagnostics.report(
                "'\(text)' is not one field of pg_hba.conf", at: node.location,
                remedy: "separate names with commas, without blanks, and put odd ones into double quotes")
        }
        if let options, options.contains(where: \.isNewline) {
            reader.diagnostics.report(
                "the options of a rule have several lines", at: node.location, remedy: "write one")
        }
        let (kind, places, people, way) = try reader.finish(connection, databases, users, method)
        self.init(
            connection: kind, databases: places, users: people, address: address, method: way,
            options: options.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Blanks end a field unless they stand in double quotes; `#` begins a comment. By scalars: a quote with an accent upon
    /// it is another character, but still a quote to PostgreSQL.
    private static func isOneField(_ text: String) -> Bool {
        var isQuoted = false
        for scalar in text.unicodeScalars {
            if scalar == "\n" || scalar == "\r" { return false }
            if scalar == "\"" { isQuoted.toggle() }
            if !isQuoted, scalar.properties.isWhitespace || scalar == "#" { return false }
        }
        return !isQuoted
    }
}
