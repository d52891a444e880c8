import Foundation
import Testing

/// The settings of the operating system that deploy-cluster applies to a container, and reports if its kernel forbids them.
@Suite("Operating system", .lab(of: 3, isPrepared: true))
struct OperatingSystemTests {
    private var lab: TestLab { TestLab.current }

    private func inventory() throws -> String {
        try lab.inventory(replacing: [
            (
                "    cluster_vip: 10.70.0.100\n",
                """
                    cluster_vip: 10.70.0.100
                    etc_hosts: ['10.70.0.11 db1.example.org db1', '10.70.0.1 store']
                    timezone: Europe/Berlin
                    postgresql_locale: de_DE.UTF-8
                    locale_gen: [{ language_country: de_DE, encoding: UTF-8 }]
                    ntp_enabled: true
                    ntp_servers: [10.70.0.1]
                    sysctl_set: true
                    sysctl_conf: { master: [{ name: net.ipv4.tcp_keepalive_time, value: 300 }] }
                    disable_thp: true
                    set_limits: true
                    swap_file_create: true
                    firewall_enabled_at_boot: true
                    firewall_allowed_tcp_ports_for: { balancers: [9101] }

                """
            ),
            ("        pg2: { ansible_host: 10.70.0.12 }\n        pg3: { ansible_host: 10.70.0.13 }\n", ""),
            ("pg1: { ansible_host: 10.70.0.11 }", "pg1: { ansible_host: 10.70.0.11, hostname: db1.example.org }"),
            ("      hosts: *hosts\n", "      hosts: { pg1: , pg2: { ansible_host: 10.70.0.12 } }\n"),
            ("        replica:\n          hosts:\n            pg2:\n            pg3:\n", ""),
        ])
    }

    @Test("deploy-cluster applies all settings, reports those that a container cannot have, and filters packets")
    func apply() async throws {
        let inventory = try inventory()
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(plan.status == 0, "\(plan.everything)")
        for notice in [
            "vm.swappiness stays ", "it is read-only on this host, as in a container", "swap stays as it is",
            "transparent huge pages stay as they are",
        ] {
            #expect(plan.output.contains(notice), "\(notice)\n\(plan.output)")
        }
        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        let found = try await lab.must(
            on: "pg1",
            """
            hostname; getent hosts store db1; readlink /etc/localtime; locale -a | grep de_DE
            cat /proc/sys/net/ipv4/tcp_keepalive_time; cat /etc/systemd/logind.conf.d/drover.conf
            systemctl is-active chrony systemd-logind; systemctl is-enabled drover-no-huge-pages
            chronyc -n sources | grep -c 10.70.0.1
            nft list table inet drover_cluster
            runuser -u postgres -- sh -c 'ulimit -Sn' || true
            """)
        for expected in [
            "db1.example.org\n", "10.70.0.1       store", "zoneinfo/Europe/Berlin", "de_DE.utf8", "300\n",
            "RemoveIPC=no", "active\nactive\nenabled\n1\n",
            "tcp dport { 22, 5000, 5001, 5432, 6432, 7000, 9101 } accept",
        ] {
            #expect(found.contains(expected), "\(expected)\n\(found)")
        }

        expectNothingChanged(try await lab.apply(inventory))
        try await lab.eventually("one balancer holds the address", inventory: inventory) {
            $0.findings.isEmpty && $0.balancers.count == 2
        }
        let reached = try await lab.must(
            on: "pg3",
            """
            for port in 5000 5432 6432 2379 8008 9999; do
                if timeout 1 bash -c "echo >/dev/tcp/10.70.0.11/$port" 2>/dev/null; then echo "$port open"; else echo "$port shut"; fi
            done
            """)
        #expect(
            reached.linesOfOutput == ["5000 open", "5432 open", "6432 open", "2379 shut", "8008 shut", "9999 shut"])
    }
}
