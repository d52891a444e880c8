extension VariableDescriptor {
    static let backupsVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "pgbackrest_install", .backups, "true or false",
            default: "false", change: "restart",
            "Backups with pgBackRest. A cluster that did not archive needs a restart of its members"),
        VariableDescriptor(
            "pgbackrest_stanza", .backups, "text",
            default: "name of the cluster", change: "—",
            "The stanza of the cluster in the repository"),
        VariableDescriptor(
            "pgbackrest_repo_type", .backups, "`posix`, `s3`, `gcs` or `azure`",
            default: "posix", change: "—",
            "A store needs options: `repo1-s3-…`, `repo1-gcs-…`, `repo1-azure-…`"),
        VariableDescriptor(
            "pgbackrest_repo_host", .backups, "text",
            default: "the host of the group `pgbackrest`", change: "—",
            "May name the host that is in the group anyway"),
        VariableDescriptor(
            "pgbackrest_repo_user", .backups, "text",
            default: "`postgres`", change: "—",
            "The owner of the repository on the host of the group `pgbackrest`: in `/var/lib/pgbackrest` or, "
                + "for another user, `/var/lib/pgbackrest-USER`"),
        VariableDescriptor(
            "pgbackrest_repo_shared", .backups, "true or false",
            default: "false", change: "—",
            "`repo1-path` is on a file system that all members have mounted"),
        VariableDescriptor(
            "pgbackrest_conf", .backups, "map of `global` and `stanza`, each a list of `{ option, value }`",
            default: "none", change: "—",
            "Options of pgBackRest. Drover checks those that it knows and passes on the others"),
        VariableDescriptor(
            "pgbackrest_schedule", .backups, "map of `full`, `diff`, `incr` to calendar times",
            default: "`{ full: 'Sun *-*-* 01:00', diff: 'Mon..Sat *-*-* 01:00', incr: '*-*-* 07,13,19:00' }`",
            change: "reload",
            "When the timers make backups; `none` for a kind"),
        VariableDescriptor(
            "pgbackrest_cron_jobs", .backups, "list of `{ minute, hour, day, month, weekday, job }`",
            default: "none", change: "reload",
            "The same as cron has it, which Drover translates. `pgbackrest_schedule` wins"),
        VariableDescriptor(
            "patroni_cluster_bootstrap_method", .backups, "`initdb`, `pgbackrest` or `wal-g`",
            default: "initdb", change: "new",
            "How a new cluster begins: [Start a cluster from a backup](../how-to/clone-cluster.md)"),
        VariableDescriptor(
            "pgbackrest_patroni_cluster_restore_command", .backups, "a command of pgBackRest",
            default: "none", change: "new",
            "The backup and the recovery target of a new cluster"),
        VariableDescriptor(
            "wal_g_install", .walg, "true or false",
            default: "false", change: "restart",
            "Backups with WAL-G instead of pgBackRest"),
        VariableDescriptor(
            "wal_g_file", .walg, "path on the controller",
            default: "none", change: "—",
            "The program. A relative path begins beside the inventory. Give this or `wal_g_package`"),
        VariableDescriptor(
            "wal_g_package", .walg, "package",
            default: "none", change: "—",
            "A package of a repository of yours"),
        VariableDescriptor(
            "wal_g_path", .walg, "path on the members",
            default: "`/usr/local/bin/wal-g`, or `/usr/bin/wal-g` of a package", change: "—",
            "Where the program is on the members"),
        VariableDescriptor(
            "wal_g_json", .walg, "map, or a list of `{ option, value }`",
            default: "`WALG_DELTA_MAX_STEPS: 6`, `WALG_PREVENT_WAL_OVERWRITE: true`, `WALG_COMPRESSION_METHOD: lz4`, "
                + "`WALG_PREFETCH_DIR: /var/lib/postgresql/wal-g-prefetch`", change: "—",
            "The settings of WAL-G. They must have exactly one `WALG_*_PREFIX`"),
        VariableDescriptor(
            "wal_g_repo_shared", .walg, "true or false",
            default: "false", change: "—",
            "The folder of `WALG_FILE_PREFIX` is on a file system that all members have mounted"),
        VariableDescriptor(
            "wal_g_schedule", .walg, "as `pgbackrest_schedule`",
            default: "as `pgbackrest_schedule`", change: "reload",
            "`diff` is a delta of the newest full backup, `incr` of the newest one"),
        VariableDescriptor(
            "wal_g_retention_full", .walg, "number",
            default: "4", change: "—",
            "How many full backups stay, with all that they need"),
        VariableDescriptor(
            "wal_g_source_json", .walg, "as `wal_g_json`",
            default: "none", change: "new",
            "What differs from `wal_g_json` where the backups of another cluster are"),
        VariableDescriptor(
            "wal_g_restore_backup_name", .walg, "text",
            default: "`LATEST`", change: "new",
            "The backup with which a new cluster begins. A target time requires it"),
        VariableDescriptor(
            "wal_g_restore_target_time", .walg, "time with its zone",
            default: "end of the WAL archive", change: "new",
            "The recovery target"),
        VariableDescriptor(
            "wal_g_restore_immediate", .walg, "true or false",
            default: "false", change: "new",
            "The recovery ends with the backup"),
        VariableDescriptor(
            "wal_g_restore_target_timeline", .walg, "a timeline, or `latest`",
            default: "latest", change: "new",
            "The timeline of the recovery"),
    ]
}
