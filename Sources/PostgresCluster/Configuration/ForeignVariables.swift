/// Why variables that postgresql_cluster (autobase) has mean nothing here. What is understood is known by the decoder
/// alone: it is asked first, so that a variable which it learns needs no change here.
///
/// The names are those of postgresql_cluster 1.9.0 and of autobase 2.
enum ForeignVariables {
    /// Names, or begins of names that end with `*`, by the reason why none of them is supported.
    private static let reasons: [(names: String, reason: String)] = [
        ("proxy_env", "packages come from the repositories that apt has on the hosts: set its proxy there"),
        (
            "dcs_type dcs_exists consul_*",
            "the cluster's state is always kept in an etcd of its own, on the hosts of 'etcd_cluster'"
        ),
        (
            "etcd_* patroni_etcd_*",
            "etcd is the package of Debian, in its customary places, and no other than that of 'etcd_cluster' is used"
        ),
        (
            "vip_manager_*",
            "keepalived holds the address of 'cluster_vip' on the balancers"
        ),
        (
            "haproxy_* confd_* with_haproxy_load_balancing",
            "HAProxy runs on the hosts of 'balancers', and is set up by its template"
        ),
        ("keepalived_*", "keepalived runs on the hosts of 'balancers', and is set up by its template"),
        ("wal_g_* pg_probackup_*", "backups are made by pgBackRest: 'pgbackrest_install: true'"),
        (
            "pgbackrest pgbackrest_*",
            "pgBackRest is set up by 'pgbackrest_conf', 'pgbackrest_stanza' and 'pgbackrest_schedule'"
        ),
        (
            "postgresql_exists new_node",
            "what is there is asked from the hosts, not said in the inventory"
        ),
        (
            "disable_archive_command keep_patroni_dynamic_json postgresql_restore_command",
            "how a cluster is restored is decided by the playbook"
        ),
        (
            "install_* installation_method apt_* yum_* *_package *_packages *_repo *_repository *_package_name "
                + "skip_dpkg_lock_retry patroni_install_* patroni_installation_* pip_* python_* postgresql_fork debian_* centos_* rhel_*",
            "all packages are those of Debian 12"
        ),
        (
            "enable_* pg_stat_kcache_*",
            "name extensions in 'postgresql_extensions', and their packages in 'postgresql_packages'"
        ),
        (
            "tls_* *_tls_* postgresql_ssl* patroni_restapi_* patroni_certs_*",
            "TLS is switched by 'tls' for all daemons together, and its files are in /etc/ssl/drover"
        ),
        (
            "pg_old_* pg_new_* pg_upgrade_* upgrade_* update_* target pg_start_stop_timeout schema_compatibility_check "
                + "vacuumdb_* pgbouncer_pool_pause* max_replication_lag_* max_transaction_sec reboot_host_*",
            "upgrades are not supported yet"
        ),
        (
            "cloud_* server_* volume_* aws_* gcp_* azure_* digital_ocean_* hetzner_* ssh_public_keys ssh_key_* ssh_known_hosts "
                + "enable_ssh_key_based_authentication state database_public_access",
            "hosts are taken as they are, and not made"
        ),
        ("netdata_* monitoring_* pgwatch_*", "monitoring is not set up"),
        (
            "firewall_* ntp_* timezone sysctl_* set_limits limits_* soft_* hard_* huge_pages_* disable_thp io_scheduler io_scheduler_* "
                + "set_io_scheduler* disable_transparent_huge_pages etc_hosts nameserver* sudo* swap_file_* mount locale "
                + "locale_gen generate_locale cron_jobs copy_files_* fetch_files_* hostname",
            "this of the operating system is for a playbook of its own: it has resources for that, see 'drover init'"
        ),
        ("pre_deploy_* post_deploy_* *_command *_script *_hook", "hooks are resources of a playbook of your own"),
        (
            "patroni_standby_cluster patroni_callbacks patroni_bootstrap_method",
            "standby clusters, callbacks and other ways to begin are not supported yet"
        ),
        (
            "balancer_tags patroni_replicatefrom",
            "cascades, and balancers for some members alone, are not supported yet"
        ),
        (
            "patroni_*",
            "it has one value, which stands in the template of Patroni"
        ),
        ("pgbouncer_*", "it has one value, which stands in the template of PgBouncer"),
        (
            "postgresql_* locale_* data_directory",
            "it has one value, that of Debian's packages or of the template of Patroni; "
                + "'postgresql_parameters' takes parameters of PostgreSQL"
        ),
    ]

    /// Those that look like slips of the pen for what is understood, but are names of postgresql_cluster.
    private static let lookalikes = Set(
        """
        io_scheduler nameservers patroni_etcd_username patroni_log_dir patroni_etcd_password patroni_maximum_lag_on_replica
        patroni_restapi_listen_addr patroni_superuser_username patroni_watchdog_device
        pgbackrest_conf_file pgbackrest_cron_jobs pgbackrest_server_conf pgbouncer_auth_dbname pgbouncer_auth_user
        pgbouncer_default_pool_mode pgbouncer_listen_addr postgresql_bin_dir postgresql_conf_dir
        postgresql_data_checksums postgresql_exists postgresql_home_dir postgresql_listen_addr postgresql_log_dir
        postgresql_pg_ident postgresql_pgpass postgresql_wal_dir
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Whether a name is known to be one of postgresql_cluster, however much it looks like another one.
    static func isKnown(_ name: String) -> Bool { lookalikes.contains(name) }

    /// Why a variable of postgresql_cluster is not supported; nil for a name that it does not have.
    static func reason(for name: String) -> String? {
        reasons.first { entry in
            entry.names.split(separator: " ").contains { matches(name, $0) }
        }?.reason
    }

    private static func matches(_ name: String, _ pattern: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return name == pattern }
        guard name.hasPrefix(first), name.hasSuffix(last), name.count >= pattern.count - parts.count + 1 else {
            return false
        }
        return parts.dropFirst().dropLast().allSatisfy { name.contains($0) }
    }
}
