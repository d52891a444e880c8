extension VariableDescriptor {
    static let postgresVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "postgresql_version", .postgres, "number",
            default: "that of the hosts' Debian", change: "new",
            "The major version. Debian 12 has 15, Debian 13 has 17; others need a repository of the hosts"),
        VariableDescriptor(
            "postgresql_port", .postgres, "port",
            default: "5432", change: "restart",
            "Where PostgreSQL listens. The restart is pending until `--restart rolling`"),
        VariableDescriptor(
            "postgresql_data_dir", .postgres, "path",
            default: "`/var/lib/postgresql/VERSION/main`", change: "new",
            "The data directory. A running cluster is refused another one"),
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
        VariableDescriptor(
            "patroni_superuser_password", .patroni, "secret",
            default: "generated", change: "SQL, reload",
            "The password of `postgres`, which is always the superuser"),
        VariableDescriptor(
            "patroni_replication_username", .patroni, "text",
            default: "`replicator`", change: "SQL, reload",
            "The replication role. `pg_rewind` logs in with it too"),
        VariableDescriptor(
            "patroni_replication_password", .patroni, "secret",
            default: "generated", change: "SQL, reload",
            "Its password"),
        VariableDescriptor(
            "patroni_restapi_port", .patroni, "port",
            default: "8008", change: "reload",
            "Where Patroni's REST API listens"),
        VariableDescriptor(
            "patroni_restapi_username", .patroni, "text",
            default: "`patroni`", change: "reload",
            "The login that changes something by the REST API"),
        VariableDescriptor(
            "patroni_restapi_password", .patroni, "secret",
            default: "generated", change: "reload",
            "Its password"),
        VariableDescriptor(
            "patroni_preset", .patroni, "`fast`, `norm`, `safe` or `wide`",
            default: "none", change: "etcd, reload",
            "Timers of Patroni and HAProxy that suit each other. Override a timer with its own variable"),
        VariableDescriptor(
            "patroni_ttl", .patroni, "seconds",
            default: "30", change: "etcd, reload",
            "The lifetime of the leader lock. At least `loop_wait` + 2 × `retry_timeout`, and 2 × `loop_wait`"
                + " + `retry_timeout`"),
        VariableDescriptor(
            "patroni_loop_wait", .patroni, "seconds, at least 1",
            default: "10", change: "etcd, reload",
            "The pause between two turns of Patroni"),
        VariableDescriptor(
            "patroni_retry_timeout", .patroni, "seconds, at least 3",
            default: "10", change: "etcd, reload",
            "How long Patroni retries requests to etcd and PostgreSQL"),
        VariableDescriptor(
            "patroni_master_start_timeout", .patroni, "seconds",
            default: "300", change: "etcd, reload",
            "How long a leader may recover from a crash before a failover"),
        VariableDescriptor(
            "patroni_maximum_lag_on_failover", .patroni, "bytes",
            default: "1048576", change: "etcd, reload",
            "A replica with more lag is no candidate"),
        VariableDescriptor(
            "synchronous_mode", .patroni, "true or false",
            default: "false", change: "etcd, reload",
            "A commit waits for a synchronous replica"),
        VariableDescriptor(
            "synchronous_mode_strict", .patroni, "true or false",
            default: "false", change: "etcd, reload",
            "Without a synchronous replica, commits wait"),
        VariableDescriptor(
            "synchronous_node_count", .patroni, "number",
            default: "1", change: "etcd, reload",
            "The number of synchronous replicas"),
        VariableDescriptor(
            "patroni_failsafe_mode", .patroni, "true or false",
            default: "true", change: "etcd, reload",
            "Without etcd, a leader continues while it reaches all members"),
        VariableDescriptor(
            "patroni_watchdog_mode", .patroni, "`off`, `automatic` or `required`",
            default: "automatic", change: "reload",
            "The watchdog of the host: [Fencing](../fencing.md#the-watchdog-of-the-host)"),
        VariableDescriptor(
            "patroni_log_level", .patroni, "`debug`, `info`, `warning`, `error` or `critical`",
            default: "info", change: "reload",
            "What Patroni writes to the journal"),
        VariableDescriptor(
            "patroni_log_traceback_level", .patroni, "as `patroni_log_level`",
            default: "error", change: "reload",
            "From which level on Patroni writes a traceback"),
        VariableDescriptor(
            "patroni_log_format", .patroni, "text",
            default: "`%(asctime)s %(levelname)s: %(message)s`", change: "reload",
            "The format of Patroni's messages"),
        VariableDescriptor(
            "patroni_log_dateformat", .patroni, "text",
            default: "that of Python", change: "reload",
            "The format of their times"),
        VariableDescriptor(
            "patroni_log_loggers_patroni_postmaster", .patroni, "as `patroni_log_level`",
            default: "none", change: "reload",
            "The level of the part that watches PostgreSQL"),
        VariableDescriptor(
            "patroni_log_loggers_urllib3", .patroni, "as `patroni_log_level`",
            default: "none", change: "reload",
            "The level of the part that speaks HTTP"),
        VariableDescriptor(
            "patroni_log_destination", .patroni, "`stderr` or `logfile`",
            default: "stderr", change: "restart",
            "`stderr` is the journal"),
        VariableDescriptor(
            "patroni_log_dir", .patroni, "path below `/var/log`",
            default: "`/var/log/patroni`", change: "restart",
            "The directory of Patroni's files, with `logfile`"),
        VariableDescriptor(
            "patroni_log_file_num", .patroni, "number",
            default: "4", change: "reload",
            "How many old files stay"),
        VariableDescriptor(
            "patroni_log_file_size", .patroni, "bytes, at least 65536",
            default: "25000000", change: "reload",
            "The size at which the next file begins"),
        VariableDescriptor(
            "patroni_log_max_queue_size", .patroni, "messages",
            default: "1000", change: "reload",
            "How many messages may wait to be written; Patroni drops others"),
        VariableDescriptor(
            "patroni_callbacks", .patroni, "list of `{ action, script }`",
            default: "none", change: "reload",
            "Commands that Patroni runs as `postgres` after `on_start`, `on_stop`, `on_restart`, `on_reload` or "
                + "`on_role_change`, with the action, the role and the name of the cluster as arguments. You put them on the "
                + "members, with `copy_files_to_all_server`"),
        VariableDescriptor(
            "patroni_pre_promote", .patroni, "command",
            default: "none", change: "reload",
            "Patroni runs it before it promotes a replica, and does not promote if it fails"),
        VariableDescriptor(
            "patroni_before_stop", .patroni, "command",
            default: "none", change: "reload",
            "Patroni runs it before it stops PostgreSQL"),
        VariableDescriptor(
            "patroni_tags", .patroni, "text, of one member",
            default: "none", change: "reload",
            "Such as `nofailover=true,nosync=true`. The tags are `nofailover`, `noloadbalance`, `clonefrom` "
                + "and `nosync`, and tags of yours such as `datacenter=dc1`, which `balancer_tags` can name"),
        VariableDescriptor(
            "patroni_replicatefrom", .patroni, "a member, of one member",
            default: "none", change: "reload",
            "The member that this cascading replica streams from"),
        VariableDescriptor(
            "patroni_slots", .patroni,
            "list of `{ slot, type: logical, database, plugin }` or `{ slot, type: physical }`",
            default: "none", change: "etcd",
            "Slots that every leader has"),
        VariableDescriptor(
            "patroni_postgresql_use_pg_rewind", .patroni, "true or false",
            default: "true", change: "etcd, reload",
            "A former leader comes back with `pg_rewind`"),
        VariableDescriptor(
            "patroni_remove_data_directory_on_rewind_failure", .patroni, "true or false",
            default: "false", change: "reload",
            "A former leader that cannot be rewound is re-cloned"),
        VariableDescriptor(
            "patroni_remove_data_directory_on_diverged_timelines", .patroni, "true or false",
            default: "false", change: "reload",
            "A former leader whose timeline diverged is re-cloned"),
        VariableDescriptor(
            "patroni_create_replica_methods", .patroni, "list of `pgbackrest`, `wal_g`, `basebackup`",
            default: "backups, then `basebackup`", change: "reload",
            "How a replica is cloned, in the order in which the methods are tried"),
        VariableDescriptor(
            "patroni_standby_cluster", .patroni, "map `{ host, port, primary_slot_name }`",
            default: "none", change: "etcd",
            "The cluster that this standby cluster replicates: [Run a standby "
                + "cluster](../how-to/standby-cluster.md)"),
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
