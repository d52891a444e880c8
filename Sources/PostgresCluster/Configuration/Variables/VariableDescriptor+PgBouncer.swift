extension VariableDescriptor {
    static let poolerVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "pgbouncer_listen_port", .pooler, "port",
            default: "6432", change: "restart",
            "Where PgBouncer listens"),
        VariableDescriptor(
            "pgbouncer_pool_mode", .pooler, "`session`, `transaction` or `statement`",
            default: "session", change: "reload",
            "The pool mode of all databases"),
        VariableDescriptor(
            "pgbouncer_default_pool_mode", .pooler, "as `pgbouncer_pool_mode`",
            default: "session", change: "reload",
            "Another name of `pgbouncer_pool_mode`, which wins"),
        VariableDescriptor(
            "pgbouncer_default_pool_size", .pooler, "connections",
            default: "100, or what `max_connections` leaves to each database", change: "reload",
            "The size of each pool"),
        VariableDescriptor(
            "pgbouncer_max_client_conn", .pooler, "connections",
            default: "10000", change: "reload",
            "The clients of one PgBouncer"),
        VariableDescriptor(
            "pgbouncer_max_db_connections", .pooler, "connections",
            default: "no limit", change: "reload",
            "The connections of one PgBouncer to each database"),
        VariableDescriptor(
            "pgbouncer_query_wait_timeout", .pooler, "seconds",
            default: "120", change: "reload",
            "How long a client may wait for a connection to the server"),
        VariableDescriptor(
            "pgbouncer_ignore_startup_parameters", .pooler, "text, names with commas",
            default: "none", change: "reload",
            "Parameters of drivers that PgBouncer ignores, besides `extra_float_digits`, `options`, `search_path` and `geqo`"
        ),
        VariableDescriptor(
            "pgbouncer_options", .pooler, "map of options",
            default: "none", change: "reload",
            "Any other option of `pgbouncer.ini`"),
        VariableDescriptor(
            "pgbouncer_pools", .pooler, "list of `{ name, dbname, pool_parameters }`",
            default: "every database", change: "reload",
            "Pools with settings of their own, such as `pool_size=20 pool_mode=transaction`. Other databases "
                + "stay reachable"),
        VariableDescriptor(
            "pgbouncer_max_prepared_statements", .pooler, "number",
            default: "that of PgBouncer", change: "reload",
            "Prepared statements of each connection to the server, from PgBouncer 1.21 on. Debian 12 has 1.18, where it is "
                + "left out"),
        VariableDescriptor(
            "pgbouncer_client_tls_sslmode", .pooler, "`require`, `verify-ca` or `verify-full`",
            default: "require", change: "reload",
            "`verify-ca` and `verify-full` require a certificate of the client. Whether there is TLS says `tls_enable`"),
        VariableDescriptor(
            "pgbouncer_client_tls_protocols", .pooler, "`secure`, `all`, or versions with commas",
            default: "secure", change: "reload",
            "The versions of TLS that clients may use: `tlsv1.3`"),
        VariableDescriptor(
            "pgbouncer_client_tls_ciphers", .pooler, "text",
            default: "those of PgBouncer", change: "reload",
            "The ciphers that clients may use, as OpenSSL names them"),
        VariableDescriptor(
            "pgbouncer_server_tls_protocols", .pooler, "as `pgbouncer_client_tls_protocols`",
            default: "secure", change: "reload",
            "The same towards PostgreSQL"),
        VariableDescriptor(
            "pgbouncer_server_tls_ciphers", .pooler, "text",
            default: "those of PgBouncer", change: "reload",
            "The same towards PostgreSQL"),
        VariableDescriptor(
            "pgbouncer_auth_username", .pooler, "text",
            default: "`pgbouncer`", change: "SQL, reload",
            "The role with which PgBouncer looks up password verifiers"),
        VariableDescriptor(
            "pgbouncer_auth_password", .pooler, "secret",
            default: "generated", change: "SQL, reload",
            "Its password"),
    ]
}
