extension VariableDescriptor {
    static let clusterVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "patroni_cluster_name", .cluster, "text",
            default: "required", change: "new",
            "Names the cluster in etcd. With several clusters in an inventory it says to which one a host belongs"),
        VariableDescriptor(
            "bind_address", .cluster, "IPv4 address, of one host",
            default: "the host's address", change: "restart",
            "Where the daemons of a host listen"),
        VariableDescriptor(
            "cluster_protected", .cluster, "true or false",
            default: "true", change: "—",
            "While it is true, `remove-cluster` refuses. The command line cannot set it"),
        VariableDescriptor(
            "remove_postgres", .cluster, "true or false",
            default: "true", change: "—",
            "Whether `remove-cluster` removes PostgreSQL, or etcd alone"),
        VariableDescriptor(
            "remove_etcd", .cluster, "true or false",
            default: "true", change: "—",
            "Whether `remove-cluster` removes etcd. It stays anyway while it has keys of others"),
        VariableDescriptor(
            "cluster_vip", .balancing, "IPv4 address",
            default: "none", change: "reload",
            "The VIP. The balancers hold it, or the leader if there are no balancers"),
        VariableDescriptor(
            "cluster_vip_prefix", .balancing, "1 to 32",
            default: "24", change: "reload",
            "The prefix length of the VIP"),
        VariableDescriptor(
            "vip_interface", .balancing, "text",
            default: "`eth0`", change: "reload",
            "The interface that holds the VIP"),
        VariableDescriptor(
            "keepalived_virtual_router_id", .balancing, "1 to 255",
            default: "last number of the VIP", change: "reload",
            "The VRRP virtual router ID"),
        VariableDescriptor(
            "with_haproxy_load_balancing", .balancing, "true or false",
            default: "follows from the groups", change: "—",
            "May state what the group `balancers` states anyway. A contradiction is an error"),
        VariableDescriptor(
            "haproxy_listen_port", .balancing, "map of ports",
            default: "`{ master: 5000, replicas: 5001, stats: 7000 }`", change: "reload",
            "In synchronous mode `replicas_sync: 5002` and `replicas_async: 5003` too. `master_direct`, "
                + "`replicas_direct`, `replicas_sync_direct` and `replicas_async_direct` bypass the pooler; they "
                + "have no default"),
        VariableDescriptor(
            "haproxy_maxconn", .balancing, "connections, or a map `{ global, master, replica }`",
            default: "10000", change: "reload",
            "Connections at each port"),
        VariableDescriptor(
            "haproxy_maxconn_global", .balancing, "connections",
            default: "what the host allows, up to 20000", change: "reload",
            "Connections of the whole HAProxy. Each needs two open files"),
        VariableDescriptor(
            "haproxy_timeout", .balancing, "map of `client` and `server`",
            default: "`{ client: 60m, server: 60m }`", change: "reload",
            "How long a connection may be idle"),
        VariableDescriptor(
            "haproxy_extra_lines", .balancing, "map of a section to a list of lines",
            default: "none", change: "reload",
            "Lines of yours in the sections `global`, `defaults`, `stats`, and those that `haproxy_listen_port` names: "
                + "`{ defaults: ['option tcplog'], master: ['timeout client 8h'] }`"),
        VariableDescriptor(
            "balancer_tags", .balancing, "text, of one balancer",
            default: "none", change: "reload",
            "The replicas that the balancer uses, by a tag of theirs in `patroni_tags`: `datacenter=dc1`"),
        VariableDescriptor(
            "dcs_exists", .etcd, "true or false",
            default: "false", change: "new",
            "The cluster uses an external etcd: [Use an external etcd](../how-to/external-etcd.md)"),
        VariableDescriptor(
            "dcs_type", .etcd, "text",
            default: "etcd", change: "—",
            "Only `etcd`"),
        VariableDescriptor(
            "patroni_etcd_hosts", .etcd, "list of `{ host, port }`",
            default: "none", change: "reload",
            "The members of the external etcd. The default port is 2379"),
        VariableDescriptor(
            "patroni_etcd_namespace", .etcd, "text",
            default: "`service`", change: "new",
            "The directory of all clusters in it"),
        VariableDescriptor(
            "patroni_etcd_username", .etcd, "text",
            default: "none", change: "reload",
            "The login of the members at the external etcd"),
        VariableDescriptor(
            "patroni_etcd_password", .etcd, "secret",
            default: "none", change: "reload",
            "Its password"),
        VariableDescriptor(
            "patroni_etcd_protocol", .etcd, "`http` or `https`",
            default: "http", change: "reload",
            "How the members reach the external etcd"),
        VariableDescriptor(
            "patroni_etcd_cacert", .etcd, "path on the members",
            default: "none", change: "reload",
            "The CA of the external etcd, with `https`"),
        VariableDescriptor(
            "patroni_etcd_cert", .etcd, "path on the members",
            default: "none", change: "reload",
            "The certificate of the members, if the external etcd requires one. It must have no CommonName if"
                + " a password is used too"),
        VariableDescriptor(
            "patroni_etcd_key", .etcd, "path on the members",
            default: "none", change: "reload",
            "Its key"),
        VariableDescriptor(
            "tls_enable", .tls, "true or false",
            default: "true", change: "new",
            "TLS for all daemons together. A running cluster is refused the change"),
        VariableDescriptor(
            "tls_names", .tls, "list of names and addresses",
            default: "none", change: "reload",
            "Names by which clients reach the cluster, besides those of the hosts and `cluster_vip`"),
        VariableDescriptor(
            "tls_cert_generate", .tls, "true or false",
            default: "true", change: "reload",
            "false: you put the certificates on the hosts. See [TLS and certificates](../how-to/tls.md)"),
    ]
}
