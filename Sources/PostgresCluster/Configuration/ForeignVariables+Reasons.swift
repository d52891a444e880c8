extension ForeignVariables {
    /// Names of postgresql_cluster by what they ask for and why that is not done; the first that fits counts, and a name that is
    /// written out counts before all families.
    ///
    /// They are those of postgresql_cluster 1.6.1 and 1.9.0 and of autobase 2: of their inventories, of what `vars` and the
    /// defaults of the roles declare, and of what these ask for besides. `*` stands for the rest of a family.
    static let entries: [Entry] = agreeing + others

    /// Those that people have because they are shipped: mostly they ask for what Drover does anyway.
    private static let agreeing: [Entry] = [
        Entry(
            "is_master",
            .nothing,
            "the group 'master' names the first leader of a new cluster; after that, Patroni chooses the leader"),
        Entry(
            "patroni_superuser_username",
            .nothing(at: ["postgres"]),
            "the superuser is 'postgres', the system user of Patroni"),
        Entry(
            "postgresql_encoding",
            .nothing(at: ["UTF8", "UTF-8"]),
            "a new cluster has the encoding UTF8; 'postgresql_databases' takes the encoding of a database"),
        Entry(
            "postgresql_data_checksums",
            .nothing(at: ["true"]),
            "a new cluster has checksums"),
        Entry(
            "postgresql_password_encryption_algorithm",
            .nothing(at: ["scram-sha-256"]),
            "passwords are stored for SCRAM"),
        Entry(
            "postgresql_listen_addr patroni_restapi_listen_addr pgbouncer_listen_addr",
            .nothing(at: ["0.0.0.0", "*"]),
            "daemons listen at the host's address, or at its 'bind_address'"),
        Entry(
            "pgbouncer_install",
            .nothing(at: ["true"]),
            "every member has a pooler"),
        Entry(
            "pgbouncer_processes",
            .nothing(at: ["1"]),
            "each member has one process of PgBouncer: that of Debian 12, 1.18, passes no request to cancel a "
                + "statement on to the process that knows the statement, so most of them would be lost"),
        Entry(
            "pgbouncer_conf_dir",
            .nothing(at: ["/etc/pgbouncer"]),
            "PgBouncer's files are where Debian has them"),
        Entry(
            "pgbouncer_log_dir",
            .nothing(at: ["/var/log/pgbouncer"]),
            "PgBouncer's messages are in /var/log/postgresql/pgbouncer.log"),
        Entry(
            "pgbouncer_generate_userlist",
            .nothing,
            "PgBouncer looks verifiers up in the database"),
        Entry(
            "pgbouncer_auth_type",
            .nothing(at: ["scram-sha-256", "md5"]),
            "clients log in by SCRAM"),
        Entry(
            "pgbouncer_auth_user",
            .nothing(at: ["true"]),
            "PgBouncer looks verifiers up in the database"),
        Entry(
            "pgbouncer_auth_dbname",
            .nothing,
            "PgBouncer looks verifiers up in the database of the client"),
        Entry(
            "pgbouncer_admin_users pgbouncer_stats_users",
            .nothing(at: ["postgres"]),
            "the role of 'pgbouncer_auth_username' administers PgBouncer"),
        Entry(
            "pgbouncer_server_tls_sslmode",
            .nothing(at: ["disable", "require", "prefer", "allow", "verify-ca", "verify-full"]),
            "'tls_enable' is for all daemons together"),
        Entry(
            "etcd_data_dir",
            .nothing(at: ["/var/lib/etcd"]),
            "etcd's data is in /var/lib/etcd, where Debian has it: mount a disk there"),
        Entry(
            """
            etcd_ver etcd_version etcd_cluster_name etcd_package_file etcd_package_repo etcd_installation_method
            etcd_packages etcd_os_specific_packages etcd_bin_dir etcd_conf_dir etcd_architecture_map
            pgdg_architecture_map etcd_on_dedicated_nodes
            """,
            .nothing,
            "etcd is the package of Debian, in its customary places"),
        Entry(
            """
            etcd_tls_enable etcd_tls_dir etcd_tls_ca_crt etcd_tls_ca_key etcd_tls_server_crt etcd_tls_server_key
            etcd_client_cert_auth
            """,
            .nothing,
            "'tls_enable' is for all daemons together, whose files are in /etc/ssl/drover"),
        Entry(
            "consul_*",
            .nothing,
            "Patroni keeps the cluster's state in etcd: see 'dcs_type'"),
        Entry(
            """
            vip_manager_version vip_manager_conf vip_manager_interval vip_manager_iface vip_manager_ip
            vip_manager_mask vip_manager_dcs_type vip_manager_package_repo vip_manager_package_file
            vip_manager_architecture_map
            """,
            .nothing,
            "keepalived holds the address of 'cluster_vip', on the balancers or where the leader is: "
                + "'vip_interface' and 'cluster_vip_prefix' say how"),
        Entry(
            """
            haproxy_major haproxy_version haproxy_installation_method haproxy_install_repo haproxy_src_repo
            haproxy_src_file haproxy_package_file haproxy_compile_requirements confd_install confd_version
            confd_package_repo confd_package_file confd_architecture_map lua_version lua_src_repo lua_src_file
            """,
            .nothing,
            "HAProxy is the package of Debian, and Drover writes its file"),
        Entry(
            "patroni_maximum_lag_on_replica",
            .nothing(at: ["100MB"]),
            "a replica is taken from the clients when Patroni says that it does not stream"),
        Entry(
            "keepalived_instances",
            .nothing,
            "keepalived is set up from 'cluster_vip', 'vip_interface' and 'keepalived_virtual_router_id'"),
        Entry(
            """
            wal_g wal_g_version wal_g_ver wal_g_installation_method wal_g_package_file wal_g_package_repo
            wal_g_architecture_map wal_g_archive_command wal_g_patroni_cluster_bootstrap_command
            wal_g_patroni_cluster_bootstrap_recovery_conf wal_g_cron_jobs wal_g_backup_command wal_g_delete_command
            wal_g_prefetch_dir_create wal_g_prefetch_dir_path wal_g_restore_target_action
            go_architecture_map
            """,
            .nothingWhile(off: "wal_g_install"),
            "WAL-G is set up by 'wal_g_file' or 'wal_g_package', 'wal_g_json', 'wal_g_schedule' and "
                + "'wal_g_retention_full'"),
        Entry(
            """
            pg_probackup pg_probackup_install_from_postgrespro_repo pg_probackup_version pg_probackup_instance
            pg_probackup_dir pg_probackup_threads pg_probackup_add_keys pg_probackup_command_parts
            pg_probackup_restore_command pg_probackup_patroni_cluster_bootstrap_command
            """,
            .nothingWhile(off: "pg_probackup_install"),
            "backups are made by pgBackRest: 'pgbackrest_install: true', or by WAL-G"),
        Entry(
            """
            pgbackrest pgbackrest_install_from_pgdg_repo pgbackrest_conf_file pgbackrest_server_conf
            pgbackrest_archive_command pgbackrest_patroni_cluster_bootstrap_recovery_conf
            pgbackrest_patroni_cluster_clean_bootstrap pgbackrest_auto_conf
            """,
            .nothingWhile(off: "pgbackrest_install"),
            "pgBackRest is set up by 'pgbackrest_conf', 'pgbackrest_stanza' and 'pgbackrest_schedule'"),
        Entry(
            "pgbackrest_cron",
            .nothingWhile(off: "pgbackrest_install"),
            "write 'pgbackrest_schedule' instead: { full: 'Sun *-*-* 01:00', incr: none }"),
        Entry(
            "disable_archive_command keep_patroni_dynamic_json",
            .nothing(at: ["true"]),
            "the playbook 'point-in-time-recovery' keeps the WAL archive and Patroni's configuration safe"),
        Entry(
            "cluster_restore_timeout",
            .nothing,
            "Drover waits for a recovery as long as it goes on"),
        Entry(
            "postgresql_archive_command",
            .nothing,
            "'pgbackrest_install: true' sets archive_command, and 'postgresql_parameters' takes another one"),
        Entry(
            """
            tls_cert tls_privatekey tls_ca_cert tls_ca_key tls_dir tls_owner tls_cert_valid_days
            tls_common_name pgbouncer_tls_dir pgbouncer_client_tls_key_file pgbouncer_client_tls_cert_file
            pgbouncer_client_tls_ca_file pgbouncer_server_tls_key_file pgbouncer_server_tls_cert_file
            pgbouncer_server_tls_ca_file patroni_restapi_protocol patroni_restapi_certfile patroni_restapi_keyfile
            patroni_restapi_cafile patroni_superuser_auth_options patroni_replication_auth_options host_type
            """,
            .nothing,
            "'tls_enable' is for all daemons together, whose files are in /etc/ssl/drover"),
        Entry(
            "netdata_conf netdata_install_options",
            .nothing,
            "exporters for Prometheus are set up by 'monitoring_install'"),
        Entry(
            "netdata_install",
            .nothing(at: ["false", "true"]),
            "Netdata is not installed; exporters for Prometheus are set up by 'monitoring_install'"),
        Entry(
            "ssh_key_user ssh_key_state ssh_known_hosts",
            .nothingWhile(off: "enable_ssh_key_based_authentication"),
            "keys between hosts are for a playbook of its own: see 'drover init'"),
        Entry(
            """
            firewall_disable_firewalld firewall_disable_ufw
            firewall_flush_rules_and_chains firewall_state firewall_enable_ipv6 firewall_log_dropped_packets
            firewall_allowed_tcp_ports firewall_allowed_udp_ports firewall_forwarded_tcp_ports
            firewall_forwarded_udp_ports firewall_additional_rules firewall_ip6_additional_rules
            """,
            .nothingWhile(off: "firewall_enabled_at_boot"),
            "the packet filter is an nftables table of Drover's own, which admits the ports of the host's roles"),
        Entry(
            "mount",
            .nothing(without: "src"),
            "mount disks before the cluster is made, or by a playbook of its own: see 'drover init'"),
        Entry(
            """
            pre_deploy_command_print pre_deploy_command_print_result pre_deploy_command_log
            post_deploy_command_print post_deploy_command_print_result post_deploy_command_log
            """,
            .nothing,
            "Drover prints what 'pre_deploy_command' and 'post_deploy_command' say when they fail"),
        Entry(
            "ntp_package",
            .nothing(at: ["chrony"]),
            "'ntp_service' says which time service is set up"),
        Entry(
            """
            chrony_enable_logging chrony_maxupdateskew chrony_makestep_threshold chrony_makestep_limit
            chrony_maxdistance chrony_leapsectz chrony_minsources chrony_allow_networks
            """,
            .nothing,
            "chrony has the settings of Debian, and 'ntp_servers'"),
        Entry(
            "sysctl_file",
            .nothing,
            "kernel parameters are in /etc/sysctl.d, in a file of Drover's own"),
        Entry(
            "disable_logrotate_for_postgresql",
            .nothing,
            "'logrotate_enabled: true' rotates PostgreSQL's logs"),
        Entry(
            "disable_unattended_upgrades",
            .nothing,
            "Drover leaves unattended-upgrades as it is"),
        Entry(
            """
            installation_method system_packages os_specific_packages system_os_specific_packages pkg_type
            os_valid_distributions os_minimum_versions apt_repository apt_repository_keys yum_repository
            install_postgresql_repo install_postgresql_repo_extras install_epel_repo install_scl_repo glibc_langpack
            python_version pip_version pip_package_repo pip_package_file patroni_packages
            patroni_os_specific_packages patroni_version patroni_install_version patroni_installation_method
            patroni_deb_package_repo patroni_deb_package_file patroni_rpm_package_repo patroni_rpm_package_file
            patroni_pip_package_repo patroni_pip_package_file patroni_pip_requirements_repo
            patroni_pip_requirements_file postgresql_os_specific_packages postgresql_version_minor
            postgresql_package_release postgresql_package_version_full postgresql_version_terse
            """,
            .nothing,
            "packages are those of the repositories that apt has on the hosts"),
        Entry(
            "postgresql_cluster_name postgresql_conf_dir postgresql_bin_dir postgresql_home_dir",
            .nothing,
            "PostgreSQL's files are where Debian has them; 'postgresql_data_dir' says where the data is"),
        Entry(
            "postgresql_log_dir",
            .nothing,
            "the parameter log_directory says where PostgreSQL's logs are, and may refer to this"),
        Entry(
            "postgresql_unix_socket_dir",
            .nothing(at: ["/var/run/postgresql", "/run/postgresql"]),
            "PostgreSQL's sockets are in /var/run/postgresql"),
        Entry(
            "postgresql_stats_temp_directory_path postgresql_stats_temp_directory_size",
            .nothing,
            "PostgreSQL 15 and later keep statistics in shared memory"),
        Entry(
            "postgresql_local_replication_auth_method",
            .nothing,
            "Patroni logs in locally as the system user 'postgres'"),
        Entry(
            "postgresql_pgpass",
            .nothing,
            "'postgres' logs in locally without a password; Drover keeps no passwords there"),
        Entry(
            "patroni_watchdog_device",
            .nothing(at: ["/dev/watchdog"]),
            "it has one value, which stands in the template of Patroni"),
        Entry(
            "patroni_watchdog_configure_softdog patroni_use_unix_socket",
            .nothing(at: ["true"]),
            "it has one value, which stands in the template of Patroni"),
        Entry(
            "patroni_use_unix_socket_repl patroni_restapi_request_queue_size",
            .nothing,
            "it has one value, which stands in the template of Patroni"),
        Entry(
            "patroni_bind_address patroni_restapi_connect_addr postgresql_connect_addr",
            .nothing,
            "daemons are reached at the host's address, or at its 'bind_address'"),
        Entry(
            "patroni_standby_cluster_auto_hba source_cluster_host source_cluster_port",
            .nothing,
            "the other cluster must admit this one: see 'patroni_standby_cluster'"),
        Entry(
            """
            pg_old_version pg_new_version pg_old_bindir pg_old_datadir pg_old_confdir pg_new_bindir pg_new_datadir
            pg_new_confdir pg_new_wal_dir pg_upper_datadir pg_new_packages pg_old_packages_remove
            pg_start_stop_timeout patroni_config_file schema_compatibility_check schema_compatibility_check_port
            schema_compatibility_check_timeout update_extensions vacuumdb_parallel_jobs vacuumdb_analyze_timeout
            vacuumdb_analyze_terminate_treshold max_replication_lag_bytes max_transaction_sec pgbouncer_pool_pause
            pgbouncer_pool_pause_timeout pgbouncer_pool_pause_terminate_after pgbouncer_pool_pause_stop_after
            pg_slow_active_query_treshold pg_slow_active_query_treshold_to_terminate pgbackrest_stanza_upgrade target
            reboot_host_after_update reboot_host_timeout reboot_host_post_delay upgrade_copy_files_to_all_server
            pg_replication_database pg_allow_replica_identity_full pg_publication_count pg_publication_name
            pg_subscription_name pg_subscription_slot_name pg_wal_keep_gigabytes
            pg_switchover_max_replication_lag_bytes pg_switchover_no_lag_wait_timeout pg_switchover_force_mode
            pg_switchover_force_mode_lag_bytes pg_reverse_logical_replication pg_reverse_publication_name
            pg_reverse_subscription_name pg_reverse_subscription_slot_name pg_sequences_increase_value
            """,
            .nothing,
            "it concerns upgrades, which are not supported yet"),
        Entry(
            """
            state server_count servers_count server_name server_type server_image server_location server_network
            server_spot server_public_ip volume_type volume_size volume_iops volume_throughput system_volume_type
            system_volume_size system_volume_iops system_volume_throughput ssh_key_name ssh_key_content
            cloud_firewall ssh_public_access ssh_public_allowed_ips netdata_public_access netdata_public_allowed_ips
            database_public_access database_public_allowed_ips cloud_load_balancer aws_* gcp_* azure_*
            digital_ocean_* hetzner_*
            """,
            .nothingWhile(off: "cloud_provider"),
            "hosts are taken as they are, and not made"),
    ]

    /// Those that ask for more unless they are empty or off.
    private static let others: [Entry] = [
        Entry(
            "proxy_env",
            .more,
            "packages come from the repositories that apt has on the hosts: set its proxy there"),
        Entry(
            "patroni_etcd_* etcd_*",
            .more,
            "etcd is the package of Debian, in its customary places, or one that there was before: 'dcs_exists'"),
        Entry(
            "vip_manager_*",
            .more,
            "keepalived holds the address of 'cluster_vip', on the balancers or where the leader is: the "
                + "vip-manager of Debian 12 speaks etcd's old API alone, in which Patroni's keys are not to be seen"),
        Entry(
            "haproxy_default_server haproxy_log_format haproxy_* confd_*",
            .more,
            "HAProxy runs on the hosts of 'balancers', and is set up by its template"),
        Entry(
            "keepalived_*",
            .more,
            "keepalived runs on the hosts of 'balancers', and is set up by its template"),
        Entry(
            "wal_g_package_*",
            .more,
            "nothing is fetched from the internet: name the program with 'wal_g_file', or your package with "
                + "'wal_g_package'"),
        Entry(
            """
            wal_g_aws_access_key_id wal_g_aws_secret_access_key wal_g_s3_prefix wal_g_compression_method
            wal_g_delta_max_steps AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY WALG_S3_PREFIX wal_g_aws_*
            """,
            .more,
            "write it into 'wal_g_json', by the name that WAL-G has for it"),
        Entry(
            "wal_g_backup_hour",
            .more,
            "'wal_g_schedule' says when backups are made, { full: 'Sun *-*-* 01:00', incr: none }, and "
                + "'wal_g_retention_full' how many full ones stay"),
        Entry(
            "wal_g_patroni_*",
            .more,
            "'wal_g_source_json' names the backup store for a new cluster, and 'wal_g_restore_backup_name' and "
                + "'wal_g_restore_target_time' choose the backup and the time"),
        Entry(
            "wal_g_restore_command wal_g_*",
            .more,
            "WAL-G is set up by 'wal_g_json', 'wal_g_schedule' and 'wal_g_retention_full'"),
        Entry(
            "pg_probackup_*",
            .more,
            "backups are made by pgBackRest: 'pgbackrest_install: true', or by WAL-G"),
        Entry(
            """
            postgresql_restore_command pgbackrest_restore_command pgbackrest_restore_immediate
            pgbackrest_restore_target_time pgbackrest_restore_target_timeline pgbackrest_restore_target_action
            pgbackrest_restore_backup_name pgbackrest_patroni_* restore_immediate restore_target_time
            restore_target_action restore_target_timeline restore_backup_name
            """,
            .more,
            "how a cluster is restored is decided by the playbook"),
        Entry(
            "pgbackrest_*_backup_command",
            .more,
            "'pgbackrest_schedule' says when backups are made: { full: 'Sun *-*-* 01:00', incr: none }"),
        Entry(
            "pgbackrest_retention_full pgbackrest_retention_full_type",
            .more,
            "write the options repo1-retention-full and repo1-retention-full-type into 'pgbackrest_conf'"),
        Entry(
            "pgbackrest_*",
            .more,
            "pgBackRest is set up by 'pgbackrest_conf', 'pgbackrest_stanza' and 'pgbackrest_schedule'"),
        Entry(
            "new_node",
            .more,
            "what is there is asked from the hosts, not said in the inventory"),
        Entry(
            "enable_*",
            .more,
            "name extensions in 'postgresql_extensions', and their packages in 'postgresql_packages'"),
        Entry(
            "tls_* *_tls_*",
            .more,
            "'tls_enable' is for all daemons together, whose files are in /etc/ssl/drover"),
        Entry(
            """
            pg_old_* pg_new_* pg_slow_active_query_treshold* schema_compatibility_check_* vacuumdb_* upgrade_*
            pgbouncer_pool_pause_* update_* reboot_host_* transfer_etcd_leadership_before_reboot
            max_replication_lag_*
            """,
            .more,
            "upgrades are not supported yet"),
        Entry(
            """
            provision cloud_* server_* volume_* system_volume_* database_public_* netdata_public_*
            postgresql_data_dir_mount_path pg_data_mount_path
            """,
            .more,
            "hosts are taken as they are, and not made"),
        Entry(
            """
            netdata_* monitoring_* node_exporter_version node_exporter_package_repo postgres_exporter_version
            postgres_exporter_package_repo
            """,
            .more,
            "exporters for Prometheus are set up by 'monitoring_install'"),
        Entry(
            """
            firewall_* ntp_* chrony_* *_scheduler resizefs_enabled resizefs_target_path cron_jobs
            copy_files_* fetch_files_from_master fetch_files_* ssh_public_keys
            enable_ssh_key_based_authentication sysctl_* limits_* soft_* hard_* huge_pages_* swap_file_*
            """,
            .more,
            "this of the operating system is for a playbook of its own: it has resources for that, see 'drover "
                + "init'"),
        Entry(
            "pre_deploy_* post_deploy_* *_command",
            .more,
            "hooks are resources of a playbook of your own"),
        Entry(
            """
            packages_from_file *_os_specific_packages apt_* yum_* install_perf install_* python_* pip_*
            patroni_install_* patroni_installation_* *_package *_packages *_repo *_repository
            """,
            .more,
            "all packages are those of Debian"),
        Entry(
            """
            pgbackrest_patroni_cluster_bootstrap_command pgbackrest_patroni_replica_restore_command
            """,
            .more,
            "other ways to begin are not supported"),
        Entry(
            "patroni_*",
            .more,
            "it has one value, which stands in the template of Patroni"),
        Entry(
            "pgbouncer_*",
            .more,
            "it has one value, which stands in the template of PgBouncer"),
        Entry(
            "postgresql_parameters_overrides postgresql_parameters_dcs",
            .more,
            "all members have the same parameters: write them into 'postgresql_parameters'"),
        Entry(
            "pending_restart",
            .more,
            "members are restarted by 'drover apply deploy-cluster --restart rolling'"),
        Entry(
            "postgresql_index_maintenance postgresql_index_maintenance_*",
            .more,
            "indexes are rebuilt by a timer of a playbook of your own"),
        Entry(
            """
            postgresql_wal_dir postgresql_stats_temp_directory_* postgresql_* locale_*
            """,
            .more,
            "it has one value, that of Debian's packages or of the template of Patroni; 'postgresql_parameters' "
                + "takes parameters of PostgreSQL"),
    ]
}
