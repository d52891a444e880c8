extension ForeignVariables {
    /// Names of postgresql_cluster by the reason why none of them is supported; the first that fits counts, and a name
    /// that is written out counts before all families.
    ///
    /// They are those of postgresql_cluster 1.9.0 and of autobase 2: of their inventories, of what `vars` and the
    /// defaults of the roles declare, and of what these ask for besides. `*` stands for the rest of a family.
    static let reasons: [(names: String, reason: String)] = [
        ("proxy_env", "packages come from the repositories that apt has on the hosts: set its proxy there"),
        (
            "consul_*", "the cluster's state is kept in etcd"
        ),
        (
            "patroni_etcd_* etcd_*",
            "etcd is the package of Debian, in its customary places, or one that there was before: 'dcs_exists'"
        ),
        (
            "vip_manager_*",
            "keepalived holds the address of 'cluster_vip', on the balancers or where the leader is: the vip-manager of "
                + "Debian 12 speaks etcd's old API alone, in which Patroni's keys are not to be seen"
        ),
        (
            """
            haproxy_timeout haproxy_default_server haproxy_log_format haproxy_version
            haproxy_major haproxy_* confd_* patroni_maximum_lag_on_replica
            """,
            "HAProxy runs on the hosts of 'balancers', and is set up by its template"
        ),
        ("keepalived_*", "keepalived runs on the hosts of 'balancers', and is set up by its template"),
        (
            "wal_g_version wal_g_installation_method wal_g_package_file wal_g_package_*",
            "nothing is fetched from the internet: name the program with 'wal_g_file', or your package with 'wal_g_package'"
        ),
        (
            """
            wal_g_aws_access_key_id wal_g_aws_secret_access_key wal_g_s3_prefix wal_g_compression_method
            wal_g_delta_max_steps wal_g_prefetch_dir_create wal_g_prefetch_dir_path AWS_ACCESS_KEY_ID
            AWS_SECRET_ACCESS_KEY WALG_S3_PREFIX wal_g_aws_*
            """,
            "write it into 'wal_g_json', by the name that WAL-G has for it"
        ),
        (
            "wal_g_cron_jobs wal_g_backup_hour wal_g_backup_command wal_g_delete_command",
            "'wal_g_schedule' says when backups are made, { full: 'Sun *-*-* 01:00', incr: none }, and "
                + "'wal_g_retention_full' how many full ones stay"
        ),
        (
            """
            wal_g_patroni_cluster_bootstrap_command wal_g_patroni_cluster_bootstrap_recovery_conf
            wal_g_restore_target_action wal_g_patroni_*
            """,
            "'wal_g_source_json' says with whose backup a cluster begins, and 'wal_g_restore_backup_name' and "
                + "'wal_g_restore_target_time' with which"
        ),
        (
            "wal_g wal_g_archive_command wal_g_restore_command wal_g_*",
            "WAL-G is set up by 'wal_g_json', 'wal_g_schedule' and 'wal_g_retention_full'"
        ),
        ("pg_probackup pg_probackup_*", "backups are made by pgBackRest: 'pgbackrest_install: true', or by WAL-G"),
        (
            """
            disable_archive_command keep_patroni_dynamic_json postgresql_restore_command cluster_restore_timeout
            pgbackrest_restore_command pgbackrest_restore_immediate pgbackrest_restore_target_time
            pgbackrest_restore_target_timeline pgbackrest_restore_target_action
            pgbackrest_restore_backup_name pgbackrest_patroni_* restore_immediate restore_target_time
            restore_target_action restore_target_timeline restore_backup_name
            """,
            "how a cluster is restored is decided by the playbook"
        ),
        (
            "pgbackrest_cron_jobs pgbackrest_backup_hour pgbackrest_*_backup_command",
            "'pgbackrest_schedule' says when backups are made: { full: 'Sun *-*-* 01:00', incr: none }"
        ),
        (
            "pgbackrest_retention_full pgbackrest_retention_full_type",
            "write the options repo1-retention-full and repo1-retention-full-type into 'pgbackrest_conf'"
        ),
        (
            """
            pgbackrest pgbackrest_conf_file pgbackrest_server_conf pgbackrest_archive_command
            pgbackrest_install_from_pgdg_repo pgbackrest_*
            """,
            "pgBackRest is set up by 'pgbackrest_conf', 'pgbackrest_stanza' and 'pgbackrest_schedule'"
        ),
        (
            "new_node",
            "what is there is asked from the hosts, not said in the inventory"
        ),
        (
            "postgresql_archive_command",
            "'pgbackrest_install: true' sets archive_command, and 'postgresql_parameters' takes another one"
        ),
        (
            "enable_*",
            "name extensions in 'postgresql_extensions', and their packages in 'postgresql_packages'"
        ),
        (
            """
            etcd_tls_enable tls_cert_valid_days tls_dir tls_cert tls_privatekey tls_ca_cert tls_ca_key
            pgbouncer_tls_dir patroni_restapi_protocol patroni_restapi_certfile patroni_restapi_keyfile
            patroni_restapi_cafile patroni_superuser_auth_options
            patroni_replication_auth_options tls_* *_tls_*
            """,
            "'tls_enable' is for all daemons together, whose files are in /etc/ssl/drover"
        ),
        (
            """
            pg_old_* pg_new_* pg_upper_datadir pg_start_stop_timeout pg_slow_active_query_treshold*
            schema_compatibility_check schema_compatibility_check_* vacuumdb_* upgrade_* pgbouncer_pool_pause
            pgbouncer_pool_pause_* pgbackrest_stanza_upgrade patroni_config_file update_* target reboot_host_*
            transfer_etcd_leadership_before_reboot max_replication_lag_* max_transaction_sec
            """,
            "upgrades are not supported yet"
        ),
        (
            """
            state provision servers_count cloud_* server_* volume_* system_volume_* aws_* gcp_* azure_* digital_ocean_*
            hetzner_* ssh_key_name ssh_key_content ssh_public_access ssh_public_allowed_ips database_public_*
            netdata_public_* postgresql_data_dir_mount_path pg_data_mount_path
            """,
            "hosts are taken as they are, and not made"
        ),
        (
            """
            netdata_* monitoring_* node_exporter_version node_exporter_package_repo postgres_exporter_version
            postgres_exporter_package_repo
            """,
            "exporters for Prometheus are set up by 'monitoring_install'"
        ),
        (
            """
            sysctl_file firewall_additional_rules_for firewall_* ntp_package ntp_* chrony_* nameservers set_scheduler
            scheduler *_scheduler sudo_users mount resizefs_enabled resizefs_target_path cron_jobs
            copy_files_to_all_server copy_files_* fetch_files_from_master fetch_files_* ssh_public_keys ssh_key_user
            ssh_key_state ssh_known_hosts enable_ssh_key_based_authentication disable_unattended_upgrades sysctl_*
            limits_* soft_* hard_* huge_pages_* swap_file_*
            """,
            "this of the operating system is for a playbook of its own: it has resources for that, see 'drover init'"
        ),
        ("disable_logrotate_for_postgresql", "PostgreSQL's logs are turned over when 'logrotate_enabled' is true"),
        ("pre_deploy_* post_deploy_* *_command", "hooks are resources of a playbook of your own"),
        (
            """
            installation_method packages_from_file system_packages *_os_specific_packages os_specific_packages pkg_type
            os_valid_distributions os_minimum_versions apt_repository apt_repository_keys apt_* yum_repository yum_*
            install_postgresql_repo install_postgresql_repo_extras install_epel_repo install_scl_repo install_perf
            install_* glibc_langpack python_version python_* pip_version pip_package_repo pip_package_file pip_*
            lua_version lua_src_repo lua_src_file patroni_packages patroni_version patroni_install_version
            patroni_install_* patroni_installation_method patroni_installation_* patroni_deb_package_repo
            patroni_deb_package_file patroni_rpm_package_repo patroni_rpm_package_file patroni_pip_package_repo
            patroni_pip_package_file patroni_pip_requirements_repo patroni_pip_requirements_file
            postgresql_version_minor postgresql_package_release postgresql_package_version_full
            *_package *_packages *_repo *_repository
            """,
            "all packages are those of Debian 12"
        ),
        (
            """
            patroni_standby_cluster_auto_hba source_cluster_host source_cluster_port patroni_callbacks
            pg_probackup_patroni_cluster_bootstrap_command
            pgbackrest_patroni_cluster_bootstrap_command pgbackrest_patroni_cluster_clean_bootstrap
            pgbackrest_patroni_replica_restore_command
            """,
            "callbacks and other ways to begin are not supported"
        ),
        (
            "balancer_tags", "balancers for some members alone are not supported"
        ),
        (
            "patroni_restapi_listen_addr patroni_restapi_connect_addr patroni_bind_address postgresql_connect_addr",
            "daemons are reached at the host's address, or at its 'bind_address'"
        ),
        ("patroni_superuser_username", "the superuser is 'postgres', as whom Patroni logs in on the host itself"),
        (
            """
            patroni_log_destination patroni_log_dir patroni_log_level patroni_log_traceback_level patroni_log_format
            patroni_log_dateformat patroni_log_max_queue_size patroni_log_file_num patroni_log_file_size
            patroni_log_loggers_*
            """,
            "Patroni's messages are in the journal: journalctl --unit patroni"
        ),
        (
            """
            patroni_watchdog_device patroni_watchdog_configure_softdog patroni_use_unix_socket
            patroni_use_unix_socket_repl patroni_restapi_request_queue_size patroni_*
            """,
            "it has one value, which stands in the template of Patroni"
        ),
        (
            "pgbouncer_processes",
            "each member has one process of PgBouncer: that of Debian 12, 1.18, passes no request to cancel a statement on to the "
                + "process that knows the statement, so most of them would be lost"
        ),
        ("pgbouncer_default_pool_mode", "it is called 'pgbouncer_pool_mode' here"),
        (
            """
            pgbouncer_install pgbouncer_conf_dir pgbouncer_log_dir pgbouncer_listen_addr
            pgbouncer_max_db_connections pgbouncer_max_prepared_statements pgbouncer_query_wait_timeout
            pgbouncer_admin_users pgbouncer_stats_users pgbouncer_ignore_startup_parameters pgbouncer_auth_type
            pgbouncer_auth_user pgbouncer_auth_dbname pgbouncer_*
            """,
            "it has one value, which stands in the template of PgBouncer"
        ),
        (
            "postgresql_parameters_overrides local_postgresql_parameters postgresql_parameters_dcs",
            "all members have the same parameters: write them into 'postgresql_parameters'"
        ),
        ("pending_restart", "members are restarted by 'drover apply deploy-cluster --restart rolling'"),
        (
            "postgresql_index_maintenance postgresql_index_maintenance_*",
            "indexes are rebuilt by a timer of a playbook of your own"
        ),
        ("host_type", "write hostssl or host itself into 'postgresql_pg_hba'"),
        (
            """
            postgresql_listen_addr postgresql_encoding postgresql_data_checksums postgresql_cluster_name
            postgresql_password_encryption_algorithm postgresql_home_dir postgresql_wal_dir postgresql_conf_dir
            postgresql_bin_dir postgresql_log_dir postgresql_unix_socket_dir postgresql_stats_temp_directory_*
            postgresql_local_replication_auth_method postgresql_pg_ident postgresql_pgpass postgresql_* locale_*
            """,
            "it has one value, that of Debian's packages or of the template of Patroni; "
                + "'postgresql_parameters' takes parameters of PostgreSQL"
        ),
    ]
}
