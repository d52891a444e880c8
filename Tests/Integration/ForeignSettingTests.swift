import Foundation
import Testing

/// Settings of postgresql_cluster and autobase, all at once, at work on the daemons of a cluster.
@Suite("Settings of postgresql_cluster", .lab(of: 3, isPrepared: true))
struct ForeignSettingTests {
    private var lab: TestLab { TestLab.current }

    private func inventory() throws -> String {
        try "#!/bin/sh\necho \"$@\" >>/var/log/patroni/notified\n"
            .write(toFile: "\(lab.folder)/notify", atomically: true, encoding: .utf8)
        return try lab.inventory(replacing: [
            (
                "    cluster_vip: 10.70.0.100\n",
                """
                    cluster_vip: 10.70.0.100
                    haproxy_extra_lines: { defaults: [option tcplog], master: [timeout client 8h], stats: [stats refresh 9s] }
                    pgbouncer_max_prepared_statements: 100
                    pgbouncer_client_tls_protocols: tlsv1.3
                    patroni_log_destination: logfile
                    patroni_log_file_num: 2
                    patroni_log_file_size: 100000
                    patroni_callbacks: [{ action: on_start, script: /usr/local/bin/notify }]
                    patroni_before_stop: /bin/true
                    nameservers: [10.70.0.1]
                    sudo_users:
                      - { name: postgres, nopasswd: 'yes', commands: ALL }
                      - { name: games, nopasswd: 'yes', commands: /usr/bin/id }
                    copy_files_to_all_server: [{ src: notify, dest: /usr/local/bin/notify, mode: '0755' }]
                    pre_deploy_command: echo before >>/var/tmp/commands
                    post_deploy_command: echo after >>/var/tmp/commands
                    firewall_enabled_at_boot: true
                    firewall_additional_rules_for: { balancers: [iptables -A INPUT -p tcp --dport 9101 -j ACCEPT] }

                """
            ),
            (
                "    postgresql_users:\n",
                """
                    postgresql_users:
                      - { name: limited, password: limited-pw, flags: NOINHERIT, conn_limit: 3, expires: '2040-01-01 00:00+00' }

                """
            ),
            (
                "    balancers:\n      hosts: *hosts\n",
                """
                    balancers:
                      hosts: { pg1: { balancer_tags: datacenter=dc2 }, pg2: , pg3: }

                """
            ),
            ("            pg3:\n", "            pg3: { patroni_tags: datacenter=dc2 }\n"),
        ])
    }

    @Test("deploy-cluster applies all of them, and finds nothing to change the second time")
    func apply() async throws {
        let inventory = try inventory()
        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        #expect(result.output.contains("pgbouncer_max_prepared_statements is left out"))

        let role = try await lab.leaderSQL(
            "SELECT rolinherit, rolconnlimit, rolvaliduntil AT TIME ZONE 'UTC' FROM pg_roles WHERE rolname = 'limited';"
        )
        #expect(role == "f|3|2040-01-01 00:00:00\n")
        for (host, line) in [
            ("pg1", "OPTIONS uri /replica?lag=100MB&tag_datacenter=dc2"), ("pg2", "OPTIONS uri /replica?lag=100MB\n"),
        ] {
            let file = try await lab.must(on: host, "cat /etc/haproxy/haproxy.cfg")
            #expect(file.contains(line), "\(file)")
        }
        // Of the replicas, the balancer on pg1 uses the one with the tag alone.
        try await lab.must(
            on: "pg1",
            """
            until [ "$(curl -s 'http://127.0.0.1:7000/;csv' | awk -F, '$1 == "replicas" && $18 ~ /^UP/ { printf "%s ", $2 }')" = 'pg3 BACKEND ' ]
            do sleep 0.2; done
            """)
        let found = try await lab.must(
            on: "pg2",
            """
            test -s /var/log/patroni/patroni.log && echo logged
            grep '^on_start ' /var/log/patroni/notified
            grep -c '^nameserver 10.70.0.1$' /etc/resolv.conf
            runuser -u games -- sudo -n /usr/bin/id -un
            runuser -u postgres -- sudo -n /usr/bin/id -un 2>/dev/null || echo 'no sudo for postgres'
            cat /var/tmp/commands
            nft list table inet drover_cluster
            runuser -u postgres -- psql -h /var/run/postgresql -p 6432 -U pgbouncer -XAtc 'SHOW CONFIG' pgbouncer
            """)
        for expected in [
            "logged\n", "on_start replica lab\n", "\n1\nroot\nno sudo for postgres\nbefore\nafter\n",
            "tcp dport 9101 accept",
            "client_tls_protocols|tlsv1.3|",
        ] {
            #expect(found.contains(expected), "\(expected)\n\(found)")
        }

        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await lab.must(on: "pg2", "cat /var/tmp/commands") == "before\nafter\n")
    }
}
