extension VariableDescriptor {
    static let postgresVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "postgresql_version", .postgres, "number",
            default: "that of the hosts' system", change: "new",
            "The major version. Debian 12 has 15, Debian 13 has 17, Ubuntu 24.04 has 16; others need a repository of the hosts"
        ),
        VariableDescriptor(
            "postgresql_port", .postgres, "port",
            default: "5432", change: "restart",
            "Where PostgreSQL listens. The restart is pending until `--restart rolling`"),
        VariableDescriptor(
            "postgresql_data_dir", .postgres, "path",
            default: "`/var/lib/postgresql/VERSION/main`", change: "new",
            "The data directory. Those above it that are missing are made, and the one above it belongs to `postgres`. A running "
                + "cluster is refused another one"),
        VariableDescriptor(
            "postgresql_locale", .postgres, "text",
            default: "`C.UTF-8`", change: "new",
            "The locale of a new cluster"),
        VariableDescriptor(
            "postgresql_parameters", .postgres, "list of `{ option, value }`",
            default: "none", change: "as in `pg_settings`",
            "Parameters of all members. What needs a restart waits: [Change "
                + "parameters](../how-to/change-parameters.md)"),
        VariableDescriptor(
            "local_postgresql_parameters", .postgres, "list of `{ option, value }`, of one member",
            default: "none", change: "as in `pg_settings`",
            "Parameters of one member, which win over those of all"),
        VariableDescriptor(
            "postgresql_pg_hba", .postgres, "list of `{ type, database, user, address, method, options }`",
            default: "all roles but `postgres`, with a password", change: "reload",
            "Your rules of `pg_hba.conf`. The cluster's own rules come before them"),
        VariableDescriptor(
            "postgresql_pg_ident", .postgres, "list of `{ mapname, system_username, pg_username }`",
            default: "none", change: "reload",
            "Lines of `pg_ident.conf`"),
        VariableDescriptor(
            "postgresql_packages", .postgres, "list of packages",
            default: "none", change: "—",
            "Further packages of the members, such as `postgresql-15-cron`"),
        VariableDescriptor(
            "postgresql_users", .postgres, "list of `{ name, password, flags, role, conn_limit, expires }`",
            default: "none", change: "SQL",
            "`flags` such as `CREATEDB` or `NOLOGIN`; `role` is a role that it belongs to. `conn_limit` is its "
                + "connection limit, `expires` the end of its password, such as `2027-01-01 00:00+00`. A role without a "
                + "password cannot log in"),
        VariableDescriptor(
            "postgresql_databases", .postgres, "list of `{ db, owner, encoding, lc_collate, lc_ctype, conn_limit }`",
            default: "none", change: "SQL",
            "Databases and their owners. Encoding and locale count at creation only"),
        VariableDescriptor(
            "postgresql_schemas", .postgres, "list of `{ schema, db, owner }`",
            default: "none", change: "SQL",
            "Schemas and their owners"),
        VariableDescriptor(
            "postgresql_extensions", .postgres, "list of `{ ext, db, schema, version }`",
            default: "none", change: "SQL",
            "Extensions. Drover updates one only if you give another `version`"),
        VariableDescriptor(
            "postgresql_privs", .postgres, "list of `{ role, privs, type, objs, schema, db }`",
            default: "none", change: "SQL",
            "Privileges, as Ansible's `postgresql_privs` has them. `type` is `table`, `sequence`, `schema`, "
                + "`database` or, with `target_roles`, `default_privs`; `objs` can be `ALL_IN_SCHEMA`. Drover "
                + "revokes nothing"),
        VariableDescriptor(
            "postgresql_exists", .postgres, "true or false, of the host in `master`",
            default: "false", change: "new",
            "The host has a PostgreSQL that becomes the leader: [Adopt an existing "
                + "PostgreSQL](../how-to/adopt-postgresql.md)"),
        VariableDescriptor(
            "basebackup", .postgres, "list of `{ option, value }`",
            default: "`max-rate` 1000M, `checkpoint` fast", change: "reload",
            "Options of `pg_basebackup` for clones"),
    ]
}
