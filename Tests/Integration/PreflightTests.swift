import Foundation
import Testing

/// Pre-flight checks of bare hosts.
@Suite("Pre-flight checks")
struct PreflightTests {
    private var lab: TestLab { TestLab.current }

    /// Settings that the hosts cannot have.
    private let excesses = [
        ("haproxy_maxconn_global: 8000", "haproxy_maxconn_global: 20000"),
        ("option: max_connections, value: 200", "option: max_connections, value: 50"),
        ("option: shared_buffers, value: 64MB", "option: shared_buffers, value: 64TB"),
        (
            "haproxy_maxconn: 4000",
            """
            haproxy_maxconn: 4000
                postgresql_locale: de_DE.UTF-8
                pgbouncer_default_pool_size: 48
            """
        ),
    ]

    @Test(
        "plan and apply report every problem at once with its host and its remedy: exit code 9, and change nothing",
        .lab(of: 4))
    func allAtOnce() async throws {
        let wrong = try lab.inventory(
            replacing: excesses + [
                (
                    "      - { option: max_connections",
                    "      - { option: max_wal_size, value: 999TB }\n      - { option: max_connections"
                )
            ])
        try await spoil()
        let before = try await digests()
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", wrong)
        #expect(plan.status == 9, "\(plan.everything)")
        for complaint in [
            "system: pg3: this is debian 11", "clock: pg3: the clock is about ",
            "ports: pg2: python3 of blocker.service already listens at port 5432, which PostgreSQL wants: stop it, or choose "
                + "another port with postgresql_port",
            "units: pg2: /etc/systemd/system/patroni.service hides the unit of Debian's package",
            "address: pg1 pg2 pg3: 10.70.0.100 belongs to somebody else, whose hardware address is ",
            "router-id: pg1 pg2 pg3: 10.70.0.14 already uses the virtual router id 100",
            "network: pg1: 10.70.0.13 (No route to host) cannot be reached at port 2379, 2380, 5432, 6432, 8008",
            "leftovers: pg3: /var/lib/etcd/etcd-lab holds the data of an etcd",
            "disk: pg1 ", "memory: pg1 pg2 pg3: shared_buffers are 67108864 MB",
            "locale: pg1 pg2 pg3: there is no locale de_DE.UTF-8",
            "packages: pg2: no repository of the host offers curl, ",
            "pool: the pools of 1 databases may open 48 connections",
            "open-files: pg1 pg2 pg3: a process may open 20000 files, and HAProxy needs 40100",
        ] {
            #expect(plan.errors.contains("  - " + complaint), "\(complaint)\n\(plan.errors)")
        }
        let apply = try await lab.apply(wrong)
        #expect(apply.status == 9, "\(apply.everything)")
        // The free space of a disk and the reading of a clock differ a little.
        func checks(_ text: String) -> [String] {
            text.linesOfOutput.filter { $0.hasPrefix("  - ") }.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(checks(apply.errors) == checks(plan.errors))
        #expect(try await digests() == before)
    }

    @Test("plan refuses a VIP of another network and an interface that does not exist", .lab(of: 3))
    func interface() async throws {
        for (addition, complaint) in [
            ("vip_interface: eth9", "interface: pg1 pg2 pg3: there is no interface eth9"),
            ("vip_interface: lo", "interface: pg1 pg2 pg3: 10.70.0.100 is in no network of lo, which has 127.0.0.1/8"),
        ] {
            let inventory = try lab.inventory(
                replacing: [("cluster_vip: 10.70.0.100", "cluster_vip: 10.70.0.100\n    \(addition)")])
            let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
            #expect(plan.status == 9, "\(plan.everything)")
            #expect(plan.errors.contains(complaint), "\(plan.errors)")
        }
    }

    @Test("plan reports a skipped check and runs the others", .lab(of: 3))
    func waived() async throws {
        let few = try lab.inventory(replacing: [excesses[0], excesses[2]])
        let one = try await lab.drover(
            "plan", "deploy-cluster", "-i", few, "--skip-preflight", "memory", "--skip-preflight", "clock")
        #expect(one.status == 9, "\(one.everything)")
        #expect(!one.errors.contains("memory: ") && one.errors.contains("open-files: "), "\(one.errors)")
        let both = try await lab.drover(
            "plan", "deploy-cluster", "-i", few, "--skip-preflight", "memory", "--skip-preflight", "open-files")
        #expect(both.status == 0, "\(both.everything)")
        #expect(
            both.output.contains(
                "the check 'memory' is left out, which finds: memory: pg1 pg2 pg3: shared_buffers are"),
            "\(both.output)")
        let unknown = try await lab.drover("plan", "deploy-cluster", "-i", few, "--skip-preflight", "memroy")
        #expect(unknown.status == 1, "\(unknown.everything)")
        #expect(
            unknown.errors.contains("there is no check 'memroy'; did you mean 'memory'? the checks are system, clock"))
    }

    @Test("hosts without problems pass in two round trips", .lab(of: 3))
    func passed() async throws {
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--stats")
        #expect(plan.status == 0, "\(plan.everything)")
        #expect(plan.output.contains("pg1  connections=1  exchanges=2 "), "\(plan.output)")
    }

    // MARK: Problems and files

    /// Everything that can be wrong in a lab.
    private func spoil() async throws {
        try await lab.must(on: "pg1", "ip route add unreachable 10.70.0.13")
        try await lab.must(
            on: "pg2",
            """
            mv /etc/apt/sources.list.d/lab.list /root
            printf '%s\\n' '[Service]' 'ExecStart=/usr/bin/patroni /etc/patroni/patroni.yml' >/etc/systemd/system/patroni.service
            systemctl daemon-reload
            systemd-run --quiet --unit blocker python3 -m http.server 5432
            until ss -Hltn | grep -q :5432; do sleep 0.1; done
            """)
        try await lab.must(
            on: "pg3",
            """
            sed -i s/VERSION_ID=.*/VERSION_ID=11/ /etc/os-release
            mkdir -p /var/lib/etcd/etcd-lab/member /usr/local/bin
            printf '%s\\n' '#!/bin/sh' 'exec /usr/bin/date -d "5 seconds" "$@"' >/usr/local/bin/date
            chmod 755 /usr/local/bin/date
            """)
        // A foreign host that has the VIP and advertises it by VRRP: version 2, ID 100, priority 150.
        try await lab.must(
            on: "pg4",
            #"""
            ip address add 10.70.0.100/24 dev eth0
            systemd-run --quiet --unit router perl -MSocket -e '
                socket(my $s, AF_INET, SOCK_RAW, 112) or die; setsockopt($s, 0, 32, inet_aton("10.70.0.14")) or die;
                while (1) { send($s, pack("C8 a4", 0x21, 100, 150, 1, 0, 1, 0, 0, inet_aton("10.70.0.100")), 0,
                    pack_sockaddr_in(0, inet_aton("224.0.0.18"))) or die; select(undef, undef, undef, 1) }'
            """#)
    }

    /// Of all files that a deployment could touch, and of what runs.
    private func digests() async throws -> [String] {
        var digests: [String] = []
        for host in ["pg1", "pg2", "pg3"] {
            digests.append(
                try await lab.must(
                    on: host,
                    """
                    find /etc /usr /var/lib -xdev -type f ! -path '/var/lib/drover/*' ! -path '/var/lib/systemd/*' \\
                        ! -path /var/lib/apt/lists/lock -printf '%p %s %T@\\n' | sort | sha256sum
                    systemctl list-units --state=active --plain --no-legend --type=service | grep -v -e session -e user
                    ip -4 neigh show 10.70.0.100
                    """))
        }
        return digests
    }
}
