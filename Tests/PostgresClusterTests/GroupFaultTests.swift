import Testing

@testable import PostgresCluster

@Suite("Groups and hosts are refused")
struct GroupFaultTests {
    @Test("two hosts with one address")
    func sharedAddress() throws {
        let groups = Sample.groups.replacing("bind_address: 10.9.0.3", with: "bind_address: 10.0.0.1")
        #expect(
            try ConfigurationFaultTests.faults(Sample.text(groups: groups)).hasSuffix(
                ": 'pg1' and 'pg3' have one address, 10.0.0.1; give each host its own, or name the host once"))
    }

    private static let groups: [(groups: String, expected: String)] = [
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 }, b: { ansible_host: 1.1.1.2 } }\n"
                + "    master:\n      hosts: { a: }",
            "hosts.yml:8:5: the group 'etcd_cluster' has 2 hosts; "
                + "give it 1, 3, 5 or 7: one more than an odd number tolerates no more losses"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    master:\n      hosts: { a: , b: { ansible_host: 1.1.1.2 } }",
            "hosts.yml:10:5: the group 'master' has 2 hosts; "
                + "name the one that begins the cluster, and put the others into 'replica'"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    masters:\n      hosts: { a: }",
            "hosts.yml:10:5: no host is in the group 'master'; 'masters' is no group of a cluster: write 'master'"
        ),
        (
            "    master:\n      hosts: { a: { ansible_host: 1.1.1.1 } }",
            "no host is in the group 'etcd_cluster'"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    master:\n      hosts: { a: }\n    replicas:\n      hosts: { b: { ansible_host: 1.1.1.2 } }",
            "hosts.yml:13:16: the host 'b' has no part in the cluster: it is only in 'replicas'; "
                + "did you mean 'replica'?"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    master:\n      hosts: { a: }\n    web:\n      hosts: { b: { ansible_host: 1.1.1.2 } }",
            "hosts.yml:13:16: the host 'b' has no part in the cluster: it is only in 'web'; "
                + "put it into balancers, etcd_cluster, master, pgbackrest, replica, or take it out"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n    postgres_cluster:\n"
                + "      hosts: { b: { ansible_host: 1.1.1.2 } }\n      children:\n        master:\n          hosts: { a: }",
            "hosts.yml:11:16: the host 'b' has no part in the cluster: it is only in 'postgres_cluster'; "
                + "put it into balancers, etcd_cluster, master, pgbackrest, replica, or take it out"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    master:\n      hosts: { a: }\n    replica:\n      hosts: { a: }",
            "hosts.yml:9:16: the host 'a' is both in 'master' and in 'replica'; leave it in one of them"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n"
                + "    master:\n      hosts: { a: }\n    replica:\n"
                + "      hosts: { pg-1: { ansible_host: 1.1.1.2 }, PG.1: { ansible_host: 1.1.1.3 } }",
            "hosts.yml:13:49: 'PG.1' and 'pg-1' would share the replication slot 'pg_1'; "
                + "let their names differ in letters or digits"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: }\n    master:\n      hosts: { a: }",
            "hosts.yml:9:16: 'a' of a is no IPv4 address; "
                + "set bind_address to the address at which its daemons shall listen"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: db.example, bind_address: 1.1.1 } }\n"
                + "    master:\n      hosts: { a: }",
            "hosts.yml:9:61: '1.1.1' of a is no IPv4 address; "
                + "set bind_address to the address at which its daemons shall listen"
        ),
        (
            "    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1, postgresql_port: 1 } }\n"
                + "    master:\n      hosts: { a: }\n    replica:\n"
                + "      hosts: { b: { ansible_host: 1.1.1.2, postgresql_port: 2 } }",
            "hosts.yml:13:61: 'postgresql_port' is another here than at hosts.yml:9:61; "
                + "set it once, under the vars of 'all'"
        ),
        (
            "    etcd_cluster:\n      hosts: { First: { ansible_host: 1.1.1.1 } }\n    master:\n      hosts: { First: }",
            "hosts.yml:9:16: 'First' cannot name a member: it is a keyword in synchronous_standby_names; choose another name"
        ),
    ]

    @Test("a host in no group")
    func ungrouped() throws {
        #expect(
            try ConfigurationFaultTests.faults(Sample.text() + "  hosts: { b: { ansible_host: 10.0.0.9 } }\n")
                == "hosts.yml:19:12: the host 'b' has no part in the cluster: it is in no group; "
                + "put it into balancers, etcd_cluster, master, pgbackrest, replica, or take it out")
    }

    @Test("groups and hosts", arguments: groups)
    func group(groups: String, expected: String) throws {
        let found = try ConfigurationFaultTests.faults(Sample.text(groups: groups))
        #expect(found == expected)
    }

    private static let balancing: [(variable: String, group: String, expected: String)] = [
        (
            "with_haproxy_load_balancing: true", "",
            "hosts.yml:7:34: with_haproxy_load_balancing is true, but no host is in the group 'balancers'; put hosts into "
                + "'balancers', or leave it out"
        ),
        (
            "cluster_vip: 1.1.1.9", "    balancer:\n      hosts: { a: }\n",
            "hosts.yml:9:5: 'balancer' is no group of a cluster; write 'balancers'"
        ),
        (
            "cluster_vip: 1.1.1.1", "",
            "hosts.yml:7:18: cluster_vip 1.1.1.1 is the address of a; choose one that no host has: they hand it to each other"
        ),
    ]

    @Test("balancers that are and are not", arguments: balancing)
    func unbalanced(variable: String, group: String, expected: String) throws {
        let groups =
            "\(group)    etcd_cluster:\n      hosts: { a: { ansible_host: 1.1.1.1 } }\n    master:\n      hosts: { a: }"
        #expect(
            try ConfigurationFaultTests.faults(Sample.text(Sample.variables + [variable], groups: groups)) == expected)
    }
}
