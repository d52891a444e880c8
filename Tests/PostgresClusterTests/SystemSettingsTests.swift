import Diagnostics
import Engine
import Inventory
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("The operating system of a cluster's hosts")
struct SystemSettingsTests {
    private func resources(_ variables: [String], of index: Int = 0) throws -> [String] {
        let cluster = try Sample.cluster(Sample.text(Sample.variables + variables))
        let host = cluster.configuration.hosts[index]
        return try cluster.systemPlays(on: [host]).flatMap { play in
            try play.hosts.contains { $0.name == host.name } ? play.resources(on: host).map(\.name) : []
        }
    }

    @Test("nothing is set that nobody asks for")
    func nothing() throws {
        #expect(try resources([]) == [])
        let cluster = try Sample.cluster()
        #expect(cluster.systemPackages == [])
        #expect(cluster.unwantedPackages == [])
    }

    private static let rows: [(variables: [String], resources: [String], packages: [String])] = [
        (["timezone: Europe/Berlin"], ["time zone"], []),
        (["etc_hosts: ['10.0.0.9 store store.example.org']"], ["hosts entries cluster"], []),
        (
            ["locale_gen: [{ language_country: de_DE, encoding: UTF-8 }]", "locale: de_DE.UTF-8"],
            ["locales de_DE.UTF-8"], ["locales"]
        ),
        (["ntp_enabled: true"], ["service chrony"], ["chrony"]),
        (
            ["ntp_enabled: true", "ntp_servers: [10.0.0.7]"],
            ["file /etc/chrony/sources.d/drover.sources", "service chrony"], ["chrony"]
        ),
        (["ntp_enabled: false", "ntp_servers: [10.0.0.7]"], [], []),
        (
            ["ntp_enabled: true", "ntp_service: timesyncd", "ntp_servers: [10.0.0.7]"],
            [
                "directory /etc/systemd/timesyncd.conf.d", "file /etc/systemd/timesyncd.conf.d/drover.conf",
                "service systemd-timesyncd",
            ], ["systemd-timesyncd"]
        ),
        (["disable_thp: true"], ["transparent huge pages"], []),
        (
            ["set_limits: true"],
            [
                "limits cluster", "directory /etc/systemd/logind.conf.d", "file /etc/systemd/logind.conf.d/drover.conf",
                "service systemd-logind",
            ], []
        ),
        (["swap_file_create: true"], ["swap /swapfile"], []),
        (["logrotate_enabled: true"], [], ["logrotate"]),
        (["nameservers: [10.0.0.53]"], ["block cluster in /etc/resolv.conf"], []),
        (
            [
                "sudo_users: [{ name: postgres, nopasswd: 'yes', commands: ALL }, { name: joe, commands: /usr/bin/less }]"
            ],
            ["file /etc/sudoers.d/joe"], ["sudo"]
        ),
        (["scheduler: [{ sched: deadline, nr_requests: '1024', device: sda }]"], [], []),
        (
            [
                "set_scheduler: true",
                "scheduler: [{ sched: mq-deadline, nr_requests: '1024', device: sda }, { sched: none, device: nvme0n1 }]",
            ],
            [
                "file /etc/udev/rules.d/60-drover-scheduler.rules", "command scheduler mq-deadline of sda",
                "command scheduler none of nvme0n1",
            ], []
        ),
        (
            ["copy_files_to_all_server: [{ src: /etc/os-release, dest: /etc/motd, mode: '0600' }]"],
            ["file /etc/motd"], []
        ),
        (["firewall_enabled_at_boot: true"], ["nftables table cluster"], ["nftables"]),
        (["huge_pages_auto_conf: true"], [], []),
        (
            ["huge_pages_auto_conf: true", "postgresql_parameters: [{ option: shared_buffers, value: 8GB }]"],
            ["sysctl vm.nr_hugepages"], []
        ),
    ]

    @Test("each thing is set when it is asked for", arguments: rows.indices)
    func each(index: Int) throws {
        let row = Self.rows[index]
        #expect(try resources(row.variables) == row.resources)
        let cluster = try Sample.cluster(Sample.text(Sample.variables + row.variables))
        #expect(cluster.systemPackages == row.packages)
    }

    @Test(
        "rules of iptables in the words of nftables",
        arguments: [
            ("iptables -p vrrp -A INPUT -j ACCEPT", "meta l4proto 112 accept"),
            (
                "iptables -A INPUT -p tcp -m tcp -s 10.0.0.0/8 --dport 9100 -j ACCEPT",
                "ip saddr 10.0.0.0/8 tcp dport 9100 accept"
            ),
            (
                "iptables -I INPUT -i eth1 -p udp -m multiport --dports 161,5000:5010 -j DROP",
                #"iifname "eth1" udp dport { 161, 5000-5010 } drop"#
            ),
        ])
    func firewallRules(rule: String, expected: String) throws {
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + [
                    "firewall_enabled_at_boot: true",
                    "firewall_additional_rules_for: { postgres_cluster: ['\(rule)', 'iptables -p vrrp -A OUTPUT -j ACCEPT'] }",
                ]))
        let rules = cluster.packetRules(of: cluster.configuration.members[2].host)
        #expect(rules.contains("accept\n    \(expected)\n"), "\(rules)")
    }

    @Test("what runs before and after a deployment")
    func commands() throws {
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + [
                    "pre_deploy_command: echo 'one two'", "post_deploy_command: 'true'",
                    "post_deploy_command_hosts: etcd_cluster,balancers",
                ]))
        let before = cluster.deployCommand(cluster.configuration.system.commandBefore)
        #expect(before.hosts.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(try before.resources(on: before.hosts[0]).map(\.name) == ["command pre_deploy_command"])
        #expect(cluster.deployCommand(cluster.configuration.system.commandAfter).name.hasSuffix("after the deployment"))
        #expect(try Sample.cluster().deployCommand(nil).hosts.isEmpty)
    }

    @Test(
        "what is wrong in what is done to hosts",
        arguments: [
            ("nameservers: [dns.example]", "'dns.example' is no address of a name server"),
            ("sudo_users: [{ name: 'a.b' }]", "'a.b' cannot name a user of sudo"),
            ("sudo_users: [{ name: joe, commands: less }]", "'less' are no commands of sudo"),
            (
                "copy_files_to_all_server: [{ src: none, dest: /etc/x }]",
                "/none' cannot be read; name a file of this machine"
            ),
            ("copy_files_to_all_server: [{ src: /etc/os-release, dest: x }]", "'x' is no path of a file"),
            ("copy_files_to_all_server: [{ src: /x, dest: /y, mode: u=rw }]", "'u=rw' is no mode of a file"),
            ("pre_deploy_command_hosts: replicas", "'replicas' in pre_deploy_command_hosts is no group"),
        ])
    func wrongHostSettings(line: String, expected: String) {
        #expect {
            try Sample.configuration(Sample.text(Sample.variables + [line]))
        } throws: { "\($0)".contains(expected) }
    }

    @Test(
        "what is wrong behind a switch",
        arguments: [
            (
                "set_scheduler: true", "scheduler: [{ sched: deadline, device: sda }]",
                "no scheduler 'deadline'; write 'mq-deadline'"
            ),
            (
                "firewall_enabled_at_boot: true", "firewall_additional_rules_for: { master: ['iptables -F'] }",
                "'iptables -F' cannot be translated for nftables"
            ),
        ])
    func wrongSwitched(part: String, line: String, expected: String) {
        #expect {
            try Sample.configuration(Sample.text(Sample.variables + [part, line]))
        } throws: { "\($0)".contains(expected) }
    }

    @Test("of two time services one gives way to the other")
    func timeServices() throws {
        for (service, unwanted) in [("chrony", "systemd-timesyncd"), ("timesyncd", "chrony")] {
            let variables = ["ntp_enabled: true", "ntp_service: \(service)"]
            let cluster = try Sample.cluster(Sample.text(Sample.variables + variables))
            #expect(cluster.unwantedPackages == [unwanted])
        }
    }

    @Test("a host has the kernel parameters of all its groups, and the last word on one counts")
    func kernelParameters() throws {
        let configuration = try Sample.configuration(
            Sample.text(
                Sample.variables + [
                    "sysctl_set: true",
                    "sysctl_conf: { postgres_cluster: [{ name: vm.swappiness, value: 5 }], master: [{ name: vm.swappiness, value: 7 }, { name: a.b, value: 1 2 }] }",
                ]))
        func parameters(_ index: Int) -> [String] {
            configuration.kernelParameters(of: configuration.hosts[index]).map { "\($0.name)=\($0.value)" }
        }
        #expect(parameters(0).suffix(2) == ["vm.swappiness=7", "a.b=1 2"])
        #expect(parameters(0).contains("net.ipv4.ip_local_port_range=10000 65535"))
        #expect(parameters(2).contains("vm.swappiness=5"))
        #expect(!parameters(2).contains("net.ipv4.ip_local_port_range=10000 65535"))
        #expect(try Sample.configuration().kernelParameters(of: configuration.hosts[0]).isEmpty)
    }

    @Test("what a host lets in")
    func packets() throws {
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + [
                    "cluster_vip: 10.0.0.100", "firewall_enabled_at_boot: true",
                    "firewall_allowed_tcp_ports_for: { replica: [9100] }",
                ]))
        let hosts = cluster.configuration.hosts
        #expect(
            cluster.packetRules(of: hosts[1]) == """
                chain input {
                    type filter hook input priority filter; policy drop;
                    ct state established,related accept
                    iif lo accept
                    meta l4proto { icmp, ipv6-icmp } accept
                    tcp dport { 22, 5000, 5001, 5432, 6432, 7000, 9100 } accept
                    ip saddr { 10.0.0.1, 10.0.0.2, 10.9.0.3 } tcp dport { 2379, 2380, 8008 } accept
                    ip saddr { 10.0.0.1, 10.0.0.2 } meta l4proto 112 accept
                }
                """)
        #expect(!cluster.packetRules(of: hosts[2]).contains("112"))
    }

    @Test(
        "huge pages, for as much shared memory as makes them worth their while",
        arguments: [(8_589_934_591, nil), (8_589_934_592, 4365), (34_359_738_368, 17_268)] as [(Int, Int?)])
    func hugePages(sharedBuffers: Int, pages: Int?) {
        #expect(SystemSettings.hugePages(for: sharedBuffers) == pages)
    }

    private static let faults: [(variable: String, complaint: String)] = [
        (
            "sysctl_conf: { balancer: [] }",
            "'balancer' in sysctl_conf is no group of a cluster; did you mean 'balancers'?"
        ),
        (
            "sysctl_conf: { master: [{ name: ../x, value: 1 }] }",
            "'../x' is no kernel parameter; write it like vm.swappiness"
        ),
        (
            "sysctl_conf: { master: [{ name: a.b, value: '1  2' }] }",
            "'1  2' cannot be a.b; separate its fields by single spaces"
        ),
        ("timezone: Europe Berlin", "'Europe Berlin' is no time zone; write it like Europe/Berlin"),
        ("etc_hosts: [store]", "'store' is no line of /etc/hosts; write an address and its names: '10.0.0.9 store'"),
        ("ntp_service: ntpd", "unknown value 'ntpd'"),
        ("locale: de DE", "'de DE' is no locale; write it like de_DE and UTF-8"),
        ("firewall_allowed_tcp_ports_for: { master: [70000] }", "70000 is no port; write 1 to 65535"),
        ("swap_file_path: swap", "'swap' cannot be the swap file; write an absolute path without blanks"),
        ("hostname: db1", "pg1 and pg2 and pg3 would have one host name, 'db1'; set it for each host"),
        ("disable_thpp: true", "unknown variable 'disable_thpp'; did you mean 'disable_thp'?"),
    ]

    @Test("what is wrong is told before any contact", arguments: faults)
    func wrong(variable: String, complaint: String) throws {
        let directory = try TemporaryDirectory(["hosts.yml": Sample.text(Sample.variables + [variable])])
        let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        #expect(diagnostics.description.contains(complaint), "\(diagnostics)")
    }
}
