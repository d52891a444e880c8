import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Pooler {
    /// What Drover itself writes into the file, and what PgBouncer reads elsewhere or only when it starts.
    private static let own: Set = [
        "listen_addr", "listen_port", "logfile", "pidfile", "auth_type", "auth_file", "auth_user", "auth_query",
        "auth_hba_file",
        "admin_users", "stats_users", "pool_mode", "max_client_conn", "default_pool_size", "unix_socket_dir",
        "max_prepared_statements", "client_tls_protocols", "client_tls_ciphers", "server_tls_protocols",
        "server_tls_ciphers",
        "query_wait_timeout", "ignore_startup_parameters", "max_db_connections", "server_login_retry",
        "server_lifetime",
        "client_tls_sslmode", "client_tls_cert_file", "client_tls_key_file", "client_tls_ca_file", "server_tls_sslmode",
        "server_tls_ca_file", "conffile", "user", "job_name", "service_name", "so_reuseport", "peer_id",
    ]

    /// `pgbouncer_max_db_connections`, and `pgbouncer_options`, which has any other.
    static func options(_ variables: inout Variables) -> [Pool.Parameter] {
        let connections: Int? = variables.optional("pgbouncer_max_db_connections")
        var values: [String: String] = [:]
        values["max_db_connections"] = connections.map { "\($0)" }
        let given: [String: String] = variables.optional("pgbouncer_options") ?? [:]
        for (name, value) in given {
            if own.contains(name) || name.wholeMatch(of: /[a-z_]+/) == nil
                || value.wholeMatch(of: /[!-~]([ -~]*[!-~])?/) == nil
            {
                variables.diagnostics.report(
                    own.contains(name)
                        ? "'\(name)' of PgBouncer follows from the rest of the inventory"
                        : "'\(name)' cannot be an option of PgBouncer with the value '\(value)'",
                    at: variables.location(of: "pgbouncer_options"),
                    remedy: own.contains(name) ? "take it out" : "write NAME: VALUE, as in pgbouncer.ini")
            }
            values[name] = value
        }
        return values.sorted { $0.key < $1.key }.map { Pool.Parameter(name: $0.key, value: $0.value) }
    }

    /// `pgbouncer_ignore_startup_parameters`: those that drivers send and PgBouncer cannot keep, and those that the inventory
    /// adds.
    static func ignoredParameters(_ variables: inout Variables) -> String {
        let given = variables.text("pgbouncer_ignore_startup_parameters")
        let customary = ["extra_float_digits", "options", "search_path", "geqo"]
        let words = (given ?? "").split { $0 == "," || $0.isWhitespace }.map(String.init)
        return (customary + words.filter { !customary.contains($0) }).joined(separator: ",")
    }
}
