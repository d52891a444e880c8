import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

/// The names are those of the variables of postgresql_cluster 1.9.0 and autobase 2, without their values.
@Suite("Variables of postgresql_cluster")
struct VariableReviewTests {
    private static let names = """
        proxy_env cluster_vip vip_interface patroni_cluster_name patroni_install_version patroni_superuser_username
        patroni_superuser_password patroni_replication_username patroni_replication_password synchronous_mode
        synchronous_mode_strict synchronous_node_count with_haproxy_load_balancing haproxy_listen_port haproxy_maxconn
        haproxy_timeout vip_manager_version vip_manager_conf vip_manager_interval vip_manager_iface vip_manager_ip
        vip_manager_mask vip_manager_dcs_type dcs_exists dcs_type etcd_version etcd_data_dir etcd_cluster_name
        patroni_etcd_hosts patroni_etcd_namespace patroni_etcd_username patroni_etcd_password patroni_etcd_protocol
        consul_version consul_config_path consul_configd_path consul_data_path consul_domain consul_datacenter
        consul_disable_update_check consul_enable_script_checks consul_ui consul_syslog_enable consul_iface
        consul_client_address consul_recursors consul_dnsmasq_enable consul_dnsmasq_cache consul_join consul_services
        consul_node_role postgresql_version postgresql_data_dir postgresql_listen_addr postgresql_port
        postgresql_encoding postgresql_locale postgresql_data_checksums postgresql_password_encryption_algorithm
        postgresql_users postgresql_databases postgresql_schemas postgresql_privs postgresql_extensions
        pgbouncer_install pgbouncer_conf_dir pgbouncer_log_dir pgbouncer_listen_addr pgbouncer_listen_port
        pgbouncer_max_client_conn pgbouncer_max_db_connections pgbouncer_max_prepared_statements
        pgbouncer_default_pool_size pgbouncer_query_wait_timeout pgbouncer_default_pool_mode pgbouncer_admin_users
        pgbouncer_stats_users pgbouncer_ignore_startup_parameters pgbouncer_auth_type pgbouncer_auth_user
        pgbouncer_auth_username pgbouncer_auth_password pgbouncer_auth_dbname pgbouncer_client_tls_sslmode
        pgbouncer_server_tls_sslmode pgbouncer_pools postgresql_parameters set_limits limits_user soft_nofile
        hard_nofile postgresql_pg_hba postgresql_pg_ident patroni_restapi_listen_addr patroni_restapi_port
        patroni_restapi_username patroni_restapi_password patroni_ttl patroni_loop_wait patroni_retry_timeout
        patroni_master_start_timeout patroni_maximum_lag_on_failover patroni_maximum_lag_on_replica patroni_callbacks
        patroni_remove_data_directory_on_rewind_failure patroni_remove_data_directory_on_diverged_timelines
        patroni_create_replica_methods basebackup pgbackrest patroni_log_destination
        patroni_log_dir patroni_log_level patroni_log_traceback_level patroni_log_format patroni_log_dateformat
        patroni_log_max_queue_size patroni_log_file_num patroni_log_file_size patroni_log_loggers_patroni_postmaster
        patroni_log_loggers_urllib3 patroni_watchdog_mode patroni_watchdog_device patroni_postgresql_use_pg_rewind
        patroni_standby_cluster patroni_slots patroni_tags balancer_tags patroni_replicatefrom wal_g_install
        wal_g_version wal_g_json wal_g_patroni_cluster_bootstrap_command wal_g_cron_jobs pg_probackup_install
        pg_probackup_repo_key pg_probackup_version pgbackrest_install pgbackrest_install_from_pgdg_repo
        pgbackrest_stanza pgbackrest_repo_type pgbackrest_repo_host pgbackrest_repo_user pgbackrest_conf_file
        pgbackrest_conf pgbackrest_server_conf pgbackrest_archive_command pgbackrest_cron_jobs
        pgbackrest_patroni_cluster_restore_command postgresql_restore_command postgresql_exists new_node
        postgresql_conf_dir postgresql_bin_dir postgresql_unix_socket_dir postgresql_home_dir postgresql_wal_dir
        postgresql_log_dir postgresql_stats_temp_directory_path postgresql_pgpass netdata_install netdata_install_options
        netdata_conf firewall_enabled_at_boot firewall_additional_rules firewall_allowed_tcp_ports_for ntp_enabled
        ntp_servers timezone sysctl_set sysctl_conf huge_pages_auto_conf disable_thp etc_hosts nameservers
        ssh_key_user ssh_key_state ssh_known_hosts enable_ssh_key_based_authentication sudo_users swap_file_create
        swap_file_size_mb swap_file_path mount locale locale_gen installation_method apt_repository apt_repository_keys
        yum_repository install_postgresql_repo install_epel_repo install_perf system_packages postgresql_packages
        pip_package_install enable_timescale enable_citus enable_pgvector enable_pg_cron disable_archive_command
        keep_patroni_dynamic_json pre_deploy_command pre_deploy_command_timeout post_deploy_command cron_jobs
        copy_files_to_all_server fetch_files_from_master tls_cert_generate tls_cert_valid_days tls_dir tls_privatekey
        tls_owner pg_old_version pg_new_version target cloud_provider server_count server_type volume_size
        hostname bind_address monitoring_install postgresql_password_file
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private func review(_ variables: String) throws -> VariableReview {
        let directory = try TemporaryDirectory([
            "hosts.yml": "all:\n  children: {etcd_cluster: {hosts: {h: }}, master: {hosts: {h: }}}\n  vars:\n"
                + variables
        ])
        return try VariableReview(of: Inventory.load(file: "\(directory.path)/hosts.yml"))
    }

    @Test("are understood, or not supported for a reason, but never passed over")
    func all() throws {
        let review = try review(Self.names.map { "    \($0): x\n" }.joined())
        let unsupported = Set((review.unsupported + review.agreeing).map(\.variable.name))
        let others = Self.names.filter { !review.understood.contains($0) && !unsupported.contains($0) }
        #expect(others.isEmpty, "\(others)")
        #expect(review.understood.contains("patroni_cluster_name"))
        #expect(unsupported.isDisjoint(with: review.understood))
        for (variable, reason) in review.unsupported + review.agreeing { #expect(!reason.isEmpty, "\(variable.name)") }
    }

    @Test("that are unknown get no reason")
    func unknown() throws {
        let review = try review(
            """
                patroni_cluster_nam: a
                frobnicate: '{{ ignored }}'
                ignored: 1
                postgresql_port: '{{ helper }}'
                helper: 5432

            """)
        #expect(review.referred == ["helper", "ignored"])
        #expect(review.unsupported.isEmpty)
        let messages = review.faults.all.map(\.message)
        #expect(messages.contains("unknown variable 'frobnicate'"))
        #expect(messages.contains("unknown variable 'patroni_cluster_nam'"))
    }

    @Test("are those of the table, and the table has no others")
    func table() throws {
        let names = VariableDescriptor.all.map(\.name)
        #expect(names.count == Set(names).count)
        let foreign = names.filter { ForeignVariables.isKnown($0) }
        #expect(foreign.isEmpty, "\(foreign)")
        let text = Sample.text(
            Sample.variables
                + names.filter { name in
                    !Sample.variables.contains { $0.hasPrefix("\(name):") }
                }.map { "\($0): x" })
        let directory = try TemporaryDirectory(["hosts.yml": text])
        let inventory = try Inventory.load(file: "\(directory.path)/hosts.yml")
        var variables = Variables(of: inventory)
        _ = try? ClusterConfiguration(inventory, &variables)
        #expect(names.filter { !variables.isAsked($0) } == [])
        #expect(variables.askedNames.subtracting(names) == [])
    }

    @Test("are no strangers when another playbook reads them")
    func elsewhere() throws {
        try Variables.$otherReaders.withValue(VariableReaders { $0 == "site_title" }) {
            let review = try review("    site_title: Hello\n    site_titel: Hello\n")
            let messages = review.faults.all.map(\.message)
            #expect(!messages.contains("unknown variable 'site_title'"))
            #expect(messages.contains("unknown variable 'site_titel'"))
        }
    }

    @Test("describe themselves")
    func described() throws {
        #expect(try VariableDescriptor.describing("postgresql_port").contains("Default: 5432"))
        #expect(try VariableDescriptor.describing("netdata_install").contains("of postgresql_cluster"))
        #expect(throws: Diagnostic.self) { try VariableDescriptor.describing("frobnicate") }
    }
}
