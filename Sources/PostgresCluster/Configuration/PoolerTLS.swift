import Diagnostics
import Inventory
public import YAML

extension ClusterConfiguration.Pooler {
    /// What PgBouncer wants of TLS, where `tls_enable` is on.
    public struct TLS: Sendable, Equatable {
        /// `pgbouncer_client_tls_sslmode`: `require`, or that clients show a certificate.
        public var clientMode = ClientMode.require
        /// `pgbouncer_client_tls_protocols` and so on, by the names that PgBouncer has for them.
        public var options: [Pool.Parameter] = []

        /// How PgBouncer treats a client.
        public enum ClientMode: String, CaseIterable, Sendable {
            case disable, allow, prefer, require
            case verifyAuthority = "verify-ca"
            case verifyName = "verify-full"

            /// Whether it admits clients without TLS, which `tls_enable` decides for all daemons together.
            var isLax: Bool { [.disable, .allow, .prefer].contains(self) }
        }
    }
}

extension ClusterConfiguration.Pooler.TLS.ClientMode: YAMLDecodable {}

extension ClusterConfiguration.Pooler.TLS {
    init(_ variables: inout Variables, isOn: Bool) {
        let name = "pgbouncer_client_tls_sslmode"
        let mode: ClientMode = variables.optional(name) ?? .require
        if isOn, mode.isLax {
            variables.notes.append(
                Diagnostic(
                    "\(name) is 'require': 'tls_enable' decides for all daemons together whether clients use TLS",
                    at: variables.location(of: name)))
        } else if !isOn, mode == .verifyAuthority || mode == .verifyName {
            variables.diagnostics.report(
                "\(name) is '\(mode.rawValue)', but tls_enable is false", at: variables.location(of: name),
                remedy: "set tls_enable to true")
        }
        clientMode = mode.isLax ? .require : mode
        let kinds: [(String, Regex<Substring>, String)] = [
            ("protocols", #/(?:secure|all|legacy|tlsv1\.[0-3](?:,tlsv1\.[0-3])*)/#, "secure"),
            ("ciphers", #/[A-Za-z0-9_@=!+:.-]+/#, "default"),
        ]
        for side in ["client", "server"] {
            for (kind, form, example) in kinds {
                let option = "\(side)_tls_\(kind)"
                guard let value = variables.text("pgbouncer_\(option)") else { continue }
                if value.filter({ !$0.isWhitespace }).wholeMatch(of: form) == nil {
                    variables.diagnostics.report(
                        "'\(value)' cannot be \(option) of PgBouncer",
                        at: variables.location(of: "pgbouncer_\(option)"),
                        remedy: kind == "protocols"
                            ? "write secure, all, or versions such as tlsv1.2,tlsv1.3"
                            : "write secure, default, or ciphers as OpenSSL names them")
                } else if value != example, value != "secure" {
                    options.append(.init(name: option, value: value.filter { !$0.isWhitespace }))
                }
            }
        }
    }
}
