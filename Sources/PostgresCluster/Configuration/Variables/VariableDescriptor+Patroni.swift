extension VariableDescriptor {
    static let patroniVariables: [VariableDescriptor] = [
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
    ]
}
