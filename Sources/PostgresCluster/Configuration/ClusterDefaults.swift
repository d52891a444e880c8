/// What variables have that the inventory does not set, where others refer to them.
///
/// Inventories of postgresql_cluster refer to what its roles declare, such as `postgresql_log_dir`. Each value is written as in an
/// inventory, and may refer to others. What the configuration itself has by default stands with its decoder.
enum ClusterDefaults {
    static let values: [String: String] = [
        "bind_address": "'{{ ansible_host | default(inventory_hostname) }}'",
        "cluster_vip": "''",
        "dcs_exists": "false",
        "dcs_type": "etcd",
        "haproxy_listen_port":
            "{ master: 5000, replicas: 5001, replicas_sync: 5002, replicas_async: 5003, stats: 7000 }",
        "nameservers": "[]",
        "patroni_replication_username": "replicator",
        "patroni_restapi_port": "8008",
        "patroni_restapi_username": "patroni",
        "patroni_superuser_username": "postgres",
        "pgbackrest_install": "false",
        "pgbackrest_repo_type": "posix",
        "pgbackrest_stanza": "'{{ patroni_cluster_name }}'",
        "pgbouncer_auth_username": "pgbouncer",
        "pgbouncer_listen_port": "6432",
        "postgresql_bin_dir": "'/usr/lib/postgresql/{{ postgresql_version }}/bin'",
        "postgresql_cluster_name": "main",
        "postgresql_conf_dir": "'/etc/postgresql/{{ postgresql_version }}/{{ postgresql_cluster_name }}'",
        "postgresql_data_dir": "'/var/lib/postgresql/{{ postgresql_version }}/{{ postgresql_cluster_name }}'",
        "postgresql_home_dir": "/var/lib/postgresql",
        "postgresql_log_dir": "/var/log/postgresql",
        "postgresql_password_encryption_algorithm": "scram-sha-256",
        "postgresql_port": "5432",
        "postgresql_unix_socket_dir": "/var/run/postgresql",
        "postgresql_version": Platform.versionExpression,
        "synchronous_mode": "false",
        "tls_cert_generate": "true",
        "vip_interface": "eth0",
        "wal_g_install": "false",
    ]
}
