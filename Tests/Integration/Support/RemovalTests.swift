import Foundation
import Testing

/// Tests of what is removed from the cluster of `inventory/lab.yml`.
protocol RemovalTests {}

extension RemovalTests {
    var lab: TestLab { TestLab.current }
    var hosts: [String] { ["pg1", "pg2", "pg3"] }
    var data: String { "/var/lib/postgresql/15/main" }

    func unprotected() throws -> String {
        try lab.inventory(
            replacing: [
                ("    patroni_cluster_name: lab\n", "    patroni_cluster_name: lab\n    cluster_protected: false\n")
            ])
    }

    func run(_ words: String...) async throws -> Command {
        try await Command.run(lab.command(words + ["-i", lab.inventory]))
    }

    func removal(_ options: [String], command: String = "apply") throws -> [String] {
        [command, "remove-cluster", "-i", try unprotected()] + options
    }

    func remove(_ options: [String], command: String = "apply") async throws -> Command {
        try await Command.run(lab.command(try removal(options, command: command)))
    }

    /// Shell text that waits until the sessions of clients that have ended are gone.
    var untilNobodyIsConnected: String {
        """
        cd /; ask() { runuser -u postgres -- psql -XAtq -h /var/run/postgresql "$@"; }
        while ask -p 6432 -U pgbouncer -d pgbouncer -c 'SHOW CLIENTS' | grep -qvF '|pgbouncer|pgbouncer|'; do :; done
        until [ "$(ask -c "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'psql'")" = 1 ]; do :; done
        """
    }

    /// The words of `--confirm` that the plan prints.
    func confirmation() async throws -> String {
        try await remove(["--even-if-in-use"], command: "plan").confirmation
    }

    /// The daemons, addresses and files of the cluster that a host still has.
    func remains(on host: String) async throws -> String {
        try await lab.must(
            on: host,
            """
            for unit in keepalived haproxy pgbouncer patroni etcd; do
                ! systemctl is-active --quiet $unit || echo $unit
                ! { systemctl is-enabled --quiet $unit && [ $unit != etcd ]; } || echo enabled $unit
            done
            ! pgrep -x postgres
            ip -4 address show | grep -F 10.70.0.100 || :
            ls \(data) /etc/haproxy/haproxy.cfg /etc/keepalived/keepalived.conf /etc/patroni/config.yml \
                /etc/pgbouncer/pgbouncer.ini /var/lib/postgresql/.pgpass_patroni 2>/dev/null || :
            """)
    }

    func untouched(_ body: () async throws -> Void) async throws { try await lab.untouched(hosts, body) }

    func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }

    @discardableResult
    func etcd(_ words: String, on host: String = "pg1") async throws -> String {
        try await lab.must(on: host, "\(TestLab.etcdctl) \(words)")
    }

    /// Runs SQL on the leader as the superuser.
    @discardableResult
    func superuser(_ statement: String) async throws -> String {
        try await lab.must(
            on: "pg2",
            """
            PGPASSWORD=\(lab.password(of: "superuser")) psql -XAtq -c "\(statement)" \\
                'host=10.70.0.11,10.70.0.12,10.70.0.13 user=postgres dbname=postgres target_session_attrs=read-write'
            """
        )
    }
}
