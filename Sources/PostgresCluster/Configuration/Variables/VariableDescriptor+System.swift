extension VariableDescriptor {
    static let systemVariables: [VariableDescriptor] = [
        VariableDescriptor(
            "monitoring_install", .monitoring, "true or false",
            default: "false", change: "reload, SQL",
            "Installs the exporters: [Monitor with Prometheus](../how-to/monitoring.md)"),
        VariableDescriptor(
            "node_exporter_port", .monitoring, "port",
            default: "9100", change: "restart",
            "The exporter of the host"),
        VariableDescriptor(
            "pg_exporter_port", .monitoring, "port",
            default: "9187", change: "restart",
            "The exporter of PostgreSQL"),
        VariableDescriptor(
            "hostname", .system, "text, of one host",
            default: "none", change: "reload",
            "The name of the host"),
        VariableDescriptor(
            "etc_hosts", .system, "list of lines",
            default: "none", change: "reload",
            "Lines of `/etc/hosts`, such as `10.0.0.9 store`"),
        VariableDescriptor(
            "timezone", .system, "text",
            default: "none", change: "reload",
            "Such as `Europe/Berlin`"),
        VariableDescriptor(
            "locale_gen", .system, "list of `{ language_country, encoding }`",
            default: "none", change: "reload",
            "Such as `{ language_country: de_DE, encoding: UTF-8 }`"),
        VariableDescriptor(
            "locale", .system, "text",
            default: "none", change: "reload",
            "The locale of new sessions"),
        VariableDescriptor(
            "ntp_enabled", .system, "true or false",
            default: "false", change: "restart",
            "Sets up a time service"),
        VariableDescriptor(
            "ntp_service", .system, "`chrony` or `timesyncd`",
            default: "chrony", change: "restart",
            "The other one is removed"),
        VariableDescriptor(
            "ntp_servers", .system, "list of names",
            default: "none", change: "restart",
            "Servers besides those of the package"),
        VariableDescriptor(
            "sysctl_set", .system, "true or false",
            default: "false", change: "reload",
            "Sets the kernel parameters that are customary for PostgreSQL (`SystemSettings.swift` lists them)"),
        VariableDescriptor(
            "sysctl_conf", .system, "lists of `{ name, value }` by group",
            default: "none", change: "reload",
            "Further kernel parameters"),
        VariableDescriptor(
            "disable_thp", .system, "true or false",
            default: "false", change: "reload",
            "Disables transparent huge pages"),
        VariableDescriptor(
            "huge_pages_auto_conf", .system, "true or false",
            default: "false", change: "reload",
            "Sets `vm.nr_hugepages` for `shared_buffers` of 8 GB or more"),
        VariableDescriptor(
            "set_limits", .system, "true or false",
            default: "false", change: "reload",
            "Limits of open files for sessions, and `RemoveIPC=no`"),
        VariableDescriptor(
            "limits_user", .system, "text",
            default: "`postgres`", change: "reload",
            "Whose limits"),
        VariableDescriptor(
            "soft_nofile", .system, "files",
            default: "65536", change: "reload",
            "The soft limit"),
        VariableDescriptor(
            "hard_nofile", .system, "files",
            default: "200000", change: "reload",
            "The hard limit"),
        VariableDescriptor(
            "swap_file_create", .system, "true or false",
            default: "false", change: "reload",
            "Creates a swap file"),
        VariableDescriptor(
            "swap_file_path", .system, "path",
            default: "`/swapfile`", change: "reload",
            "Where it is"),
        VariableDescriptor(
            "swap_file_size_mb", .system, "MiB",
            default: "4096", change: "reload",
            "Its size"),
        VariableDescriptor(
            "firewall_enabled_at_boot", .system, "true or false",
            default: "false", change: "reload",
            "An nftables table of its own admits SSH and the ports of the host's roles. Only the cluster's "
                + "hosts reach etcd, Patroni and VRRP. Other tables stay"),
        VariableDescriptor(
            "firewall_allowed_tcp_ports_for", .system, "lists of ports by group",
            default: "none", change: "reload",
            "Further ports"),
        VariableDescriptor(
            "firewall_additional_rules_for", .system, "lists of rules by group",
            default: "none", change: "reload",
            "Rules of `iptables` for what comes in, which Drover translates: "
                + "`iptables -A INPUT -p udp -s 10.0.0.0/8 --dport 161 -j ACCEPT`"),
        VariableDescriptor(
            "nameservers", .system, "list of IPv4 addresses",
            default: "none", change: "reload",
            "Name servers in `/etc/resolv.conf`, which must not be a link"),
        VariableDescriptor(
            "set_scheduler", .system, "true or false",
            default: "false", change: "reload",
            "Sets the I/O schedulers of disks"),
        VariableDescriptor(
            "scheduler", .system, "list of `{ sched, nr_requests, device }`",
            default: "none", change: "reload",
            "The I/O scheduler of each disk: `{ sched: mq-deadline, nr_requests: 1024, device: sda }`"),
        VariableDescriptor(
            "sudo_users", .system, "list of `{ name, nopasswd, commands }`",
            default: "none", change: "reload",
            "Who may use sudo: `{ name: joe, nopasswd: 'no', commands: '/usr/bin/less' }`. `postgres` gets none"),
        VariableDescriptor(
            "copy_files_to_all_server", .system, "list of `{ src, dest, owner, group, mode }`",
            default: "none", change: "reload",
            "Files of the controller that all hosts get. A relative `src` begins beside the inventory"),
        VariableDescriptor(
            "pre_deploy_command", .system, "shell command",
            default: "none", change: "—",
            "`deploy-cluster` runs it as root before it changes anything, once on each host, and again when you change it"
        ),
        VariableDescriptor(
            "pre_deploy_command_hosts", .system, "groups, with commas",
            default: "`postgres_cluster`", change: "—",
            "The hosts that run it"),
        VariableDescriptor(
            "pre_deploy_command_timeout", .system, "seconds",
            default: "3600", change: "—",
            "How long it may take"),
        VariableDescriptor(
            "post_deploy_command", .system, "shell command",
            default: "none", change: "—",
            "The same at the end"),
        VariableDescriptor(
            "post_deploy_command_hosts", .system, "groups, with commas",
            default: "`postgres_cluster`", change: "—",
            "The hosts that run it"),
        VariableDescriptor(
            "post_deploy_command_timeout", .system, "seconds",
            default: "3600", change: "—",
            "How long it may take"),
        VariableDescriptor(
            "logrotate_enabled", .system, "true or false",
            default: "false", change: "reload",
            "Installs logrotate. The packages bring their rules"),
    ]
}
