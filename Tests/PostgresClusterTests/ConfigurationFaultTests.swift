import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Cluster configuration refuses")
struct ConfigurationFaultTests {
    /// What a configuration is refused for.
    static func faults(_ text: String) throws -> String {
        let directory = try TemporaryDirectory(["hosts.yml": text])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        return directory.shortened(diagnostics.description)
    }

    private static let onLine7: [(variable: String, expected: String)] = [
        ("cluster_vipp: 10.0.0.100", "5: unknown variable 'cluster_vipp'; did you mean 'cluster_vip'?"),
        ("xyzzy: 1", "5: unknown variable 'xyzzy'"),
        ("postgresql_port: abc", "22: expected a whole number, found the string 'abc'"),
        ("postgresql_port: '54 32'", "22: expected a whole number, found the string '54 32'"),
        (
            "postgresql_port: '{{ port | int }}'",
            "22: '{{ port | int }}': the variable 'port' is not set for 'pg1'; set it under the vars of 'all'"
        ),
        ("synchronous_mode: maybe", "23: expected true or false, found the string 'maybe'"),
        ("postgresql_port: 0", "22: 0 is no port; write 1 to 65535"),
        ("patroni_restapi_port: 65536", "27: 65536 is no port; write 1 to 65535"),
        ("pgbouncer_listen_port: -1", "28: -1 is no port; write 1 to 65535"),
        ("haproxy_listen_port: { master: 0 }", "26: 0 is no port; write 1 to 65535"),
        ("haproxy_listen_port: { stats: 70000 }", "26: 70000 is no port; write 1 to 65535"),
        (
            "haproxy_listen_port: { leader: 5000 }",
            "28: unknown key 'leader' in the ports of HAProxy; the keys are master, master_direct, replicas, replicas_async, "
                + "replicas_async_direct, replicas_direct, replicas_sync, replicas_sync_direct, stats"
        ),
        (
            "haproxy_maxconn: { replicas: 1 }",
            "24: unknown key 'replicas' in the connections of HAProxy; did you mean 'replica'?"
        ),
        ("haproxy_maxconn: 0", "22: 0 connections are too few; write 1 or more"),
        (
            "postgresql_version: 12",
            "25: PostgreSQL 12 is not supported; write 13 to 18; Debian 12 has 15, Debian 13 has 17, Ubuntu "
                + "24.04 has 16"
        ),
        (
            "postgresql_data_dir: /srv/db",
            "26: '/srv/db' is in /srv, which cannot belong to postgres alone; put a directory of PostgreSQL's own between them: "
                + "/srv/db/main"
        ),
        (
            "postgresql_data_dir: /etc/postgresql/main",
            "26: '/etc/postgresql/main' is in a directory of the system; choose one of PostgreSQL's own, such as /pgdata/main"
        ),
        (
            "postgresql_data_dir: /var/lib/postgresql/../x",
            "26: '/var/lib/postgresql/../x' is no path of a directory of PostgreSQL; write an absolute path of letters, digits, '_', '.' "
                + "and '-', without a slash at the end"
        ),
        (
            "postgresql_parameters: [{ option: logging_collector, value: 'on' }, { option: log_directory, value: /var/log }]",
            "28: '/var/log' cannot belong to postgres alone; put the logs into a directory of their own: /var/log/postgresql"
        ),
        (
            "patroni_ttl: 29",
            "18: patroni_ttl 29 is less than patroni_loop_wait + 2 × patroni_retry_timeout, 30, so that a leader would lose "
                + "its lock while it still tries to renew it; write patroni_ttl: 30 or more, or shorten the other two"
        ),
        (
            "patroni_retry_timeout: 11",
            "28: patroni_ttl 30 is less than patroni_loop_wait + 2 × patroni_retry_timeout, 32, so that a leader would lose "
                + "its lock while it still tries to renew it; write patroni_ttl: 32 or more, or shorten the other two"
        ),
        (
            "patroni_loop_wait: 11",
            "24: patroni_ttl 30 is less than 2 × patroni_loop_wait + patroni_retry_timeout, 32, so that a replica that runs "
                + "would be gone from etcd again and again, and could not take over then; write patroni_ttl: 32 or more, or "
                + "shorten the other two"
        ),
        ("patroni_retry_timeout: 2", "28: patroni_retry_timeout 2 is too short; write 3 or more"),
        ("patroni_preset: fats", "21: unknown value 'fats'; did you mean 'fast'?"),
        ("patroni_watchdog_mode: on", "28: unknown value 'on'; write one of off, automatic, required"),
        (
            "synchronous_mode_strict: true",
            "30: synchronous_mode_strict means nothing without synchronous_mode; write synchronous_mode: true, or leave it out"
        ),
        (
            "synchronous_node_count: 0",
            "29: 0 replicas cannot be synchronous; write 1 to 2: there are 2"
        ),
        (
            "patroni_tags: nofailver=true",
            "19: unknown tag 'nofailver'; did you mean 'nofailover'?"
        ),
        (
            "patroni_tags: failover_priority=2",
            "19: unknown tag 'failover_priority'; Patroni 3.0 of Debian 12 does not know it; nofailover=true keeps a member "
                + "from leading"
        ),
        ("patroni_tags: nosync", "19: 'nosync' is no tag; write NAME=true, several with commas between them"),
        (
            "patroni_slots: [{ slot: a, type: logical }]",
            "21: a logical slot belongs to a database and has a plugin; "
                + "write { slot: …, type: logical, database: app, plugin: pgoutput }"
        ),
        (
            "patroni_slots: [{ slot: A-b, type: physical }]",
            "21: 'A-b' cannot name a slot; use small letters, digits and '_', at most 63"
        ),
        ("cluster_vip: 10.0.0", "18: '10.0.0' is no IPv4 address; write four numbers, such as 10.70.0.100"),
        ("cluster_vip: 10.0.0.256", "18: '10.0.0.256' is no IPv4 address; write four numbers, such as 10.70.0.100"),
        ("cluster_vip: 10.0.0.01", "18: '10.0.0.01' is no IPv4 address; write four numbers, such as 10.70.0.100"),
        (
            "cluster_vip: 10.0.0.2",
            "18: cluster_vip 10.0.0.2 is a balancer's own address; "
                + "choose one that no host has: the balancers hand it to each other"
        ),
        ("cluster_vip_prefix: 33", "25: the prefix 33 is out of range; write 1 to 32"),
        ("keepalived_virtual_router_id: 256", "35: the virtual router id 256 is out of range; write 1 to 255"),
        (
            "pgbouncer_pool_mode: sesion",
            "26: unknown value 'sesion'; did you mean 'session'?"
        ),
        (
            "postgresql_parameters: [{ option: a }]",
            "29: the key 'value' of a parameter of PostgreSQL is missing"
        ),
        (
            "postgresql_parameters: [{ option: synchronous_standby_names, value: pg2 }]",
            "28: 'synchronous_standby_names' is set by Patroni, which ignores another value; take it out, and set "
                + "synchronous_mode: true"
        ),
        (
            "postgresql_users: [{ name: app, password: x, flag: [] }]",
            "50: unknown key 'flag' in a user; did you mean 'flags'?"
        ),
        (
            "postgresql_data_dir: /var/lib/postgresql/",
            "26: '/var/lib/postgresql/' is no path of a directory of PostgreSQL; write an absolute path of letters, digits, '_', '.' "
                + "and '-', without a slash at the end"
        ),
        (
            "postgresql_users: [{ name: pgbouncer, password: x }]",
            "23: the user 'pgbouncer' is one that the cluster itself logs in as; "
                + "take it out of postgresql_users: it has its own password variable"
        ),
        (
            "postgresql_users: [{ name: a, password: x }, { name: a, password: y }]",
            "23: 'a' is there twice; name it once"
        ),
        (
            "pgbouncer_auth_username: replicator",
            "30: two parts of the cluster log in as 'replicator'; give each a name of its own"
        ),
        (
            "vip_interface: eth0 eth1",
            "20: 'eth0 eth1' cannot be vip_interface; use letters, digits, '_', '.', '@' and '-'"
        ),
        (
            "pgbouncer_listen_port: 5432",
            "28: PostgreSQL and PgBouncer would both listen at port 5432 of pg1; give each a port of its own"
        ),
        (
            "patroni_restapi_port: 2379",
            "27: etcd and Patroni would both listen at port 2379 of pg1; give each a port of its own"
        ),
        (
            "haproxy_listen_port: { stats: 5000 }",
            "26: two listeners of HAProxy would both listen at port 5000 of pg1; give each a port of its own"
        ),
        (
            "cluster_vip: 10.9.0.3",
            "18: cluster_vip 10.9.0.3 is the address of pg3; choose one that no host has: they hand it to each other"
        ),
        ("postgresql_databases: [app]", "28: expected a mapping for a database, found the string 'app'"),
    ]

    @Test("one variable", arguments: onLine7)
    func variable(line: String, expected: String) throws {
        let found = try Self.faults(Sample.text(Sample.variables + [line]))
        #expect(found == "hosts.yml:7:\(expected)")
    }

    @Test("a member that never leads, but may be the only one that could")
    func nobodyToTakeOver() throws {
        let text = Sample.text(Sample.variables + ["synchronous_mode: true"])
            .replacing("pg2: { ansible_host", with: "pg2: { patroni_tags: nofailover=true, ansible_host")
        #expect(
            try Self.faults(text)
                == "hosts.yml:12:30: pg2 never leads, but may be the one replica that has everything, so that nobody could "
                + "take over; write patroni_tags: nofailover=true,nosync=true")
    }

    @Test(
        "a name that no cluster can have", arguments: ["a b", "a/b", "ä", "a.b"])
    func name(name: String) throws {
        #expect(
            try Self.faults(Sample.text(["patroni_cluster_name: \(name)"] + Sample.variables.dropFirst()))
                == "hosts.yml:3:27: '\(name)' cannot name a cluster; use letters, digits, '-' and '_'")
    }

    @Test("a variable that must be there")
    func missing() throws {
        let found = try Self.faults(Sample.text(Array(Sample.variables.dropFirst())))
        #expect(found == "the variable 'patroni_cluster_name' is missing; set it under the vars of 'all'")
    }

    @Test("everything at once")
    func together() throws {
        let text = Sample.text(["patroni_cluster_name: a b", "cluster_vip: x", "hapoxy_maxconn: 1"])
        #expect(
            try Self.faults(text) == """
                hosts.yml:3:27: 'a b' cannot name a cluster; use letters, digits, '-' and '_'
                hosts.yml:4:18: 'x' is no IPv4 address; write four numbers, such as 10.70.0.100
                hosts.yml:5:5: unknown variable 'hapoxy_maxconn'; did you mean 'haproxy_maxconn'?
                the variable 'patroni_superuser_password' is missing; set it under the vars of 'all'
                the variable 'patroni_replication_password' is missing; set it under the vars of 'all'
                the variable 'pgbouncer_auth_password' is missing; set it under the vars of 'all'
                """)
    }
}
