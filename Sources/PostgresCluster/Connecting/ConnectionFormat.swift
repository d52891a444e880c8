import Engine

/// A notation of a ``ClientConnection``.
public enum ConnectionFormat: String, CaseIterable, Sendable {
    /// A command line of `psql`.
    case psql
    /// A URI of libpq.
    case uri
    /// A URL of the JDBC driver.
    case jdbc
    /// Environment variables of libpq, as a shell reads them.
    case env
}

extension ClientConnection {
    /// The lines of a notation.
    public func lines(as format: ConnectionFormat) -> [String] {
        switch format {
        case .psql: [ShellText.words(["psql", keywords]).description]
        case .uri: [uri]
        case .jdbc: [jdbc]
        case .env: environment
        }
    }

    /// `host=10.0.0.100 port=5000 …`, as libpq reads them.
    public var keywords: String {
        parameters.map { "\($0.keyword)=\(Self.quoted($0.value))" }.joined(separator: " ")
    }

    private var environment: [String] {
        parameters.map { "export \($0.variable)=\(ShellText.quoting($0.value))" }
    }

    private var uri: String {
        let login = user.map { "\(Self.escaped($0))@" } ?? ""
        return "postgresql://\(login)\(addresses)/\(Self.escaped(database))"
            + query(
                settings.map { ($0.keyword, $0.value) })
    }

    private var jdbc: String {
        var options: [(String, String)] = user.map { [("user", $0)] } ?? []
        if !isRouted { options.append(("targetServerType", role == .leader ? "primary" : "preferSecondary")) }
        options.append(("connectTimeout", String(Self.timeout)))
        options += encryption.map { ($0.keyword, $0.value) }
        return "jdbc:postgresql://\(addresses)/\(Self.escaped(database))\(query(options))"
    }

    private func query(_ options: [(name: String, value: String)]) -> String {
        "?" + options.map { "\($0.name)=\(Self.escaped($0.value))" }.joined(separator: "&")
    }

    private var addresses: String { endpoints.map { "\($0.host):\($0.port)" }.joined(separator: ",") }

    /// A parameter of libpq, and the environment variable that stands for it.
    private struct Parameter {
        let keyword: String
        let variable: String
        let value: String

        init(_ keyword: String, _ variable: String, _ value: String) {
            (self.keyword, self.variable, self.value) = (keyword, variable, value)
        }
    }

    private var parameters: [Parameter] {
        [
            Parameter("host", "PGHOST", endpoints.map(\.host).joined(separator: ",")),
            Parameter("port", "PGPORT", endpoints.map { String($0.port) }.joined(separator: ",")),
            Parameter("dbname", "PGDATABASE", database),
        ] + (user.map { [Parameter("user", "PGUSER", $0)] } ?? []) + settings
    }

    private var settings: [Parameter] {
        let attributes = isRouted ? "any" : role == .leader ? "read-write" : "prefer-standby"
        return [
            Parameter("target_session_attrs", "PGTARGETSESSIONATTRS", attributes),
            Parameter("connect_timeout", "PGCONNECT_TIMEOUT", String(Self.timeout)),
        ] + encryption
    }

    private var encryption: [Parameter] {
        func parameters(_ mode: String, _ authority: String? = nil) -> [Parameter] {
            [Parameter("sslmode", "PGSSLMODE", mode)]
                + (authority.map { [Parameter("sslrootcert", "PGSSLROOTCERT", $0)] } ?? [])
        }
        return switch verification {
        case nil: []
        case .nothing: parameters("require")
        case .authority(let file): parameters("verify-ca", file)
        case .full(let file): parameters("verify-full", file)
        }
    }

    /// A value among the keywords of libpq.
    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { !" '\\".unicodeScalars.contains($0) }
        if isPlain { return value }
        return "'" + value.unicodeScalars.map { "'\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
            + "'"
    }

    /// A value in a URI (RFC 3986, "unreserved").
    private static func escaped(_ value: String) -> String {
        value.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                return String(UnicodeScalar(byte))
            case _ where "-._~".utf8.contains(byte): return String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }.joined()
    }
}
