import Testing

/// What the tests of a deployed cluster look at.
extension DeployClusterTests {
    /// Every file with its size and its times, without what a login and the clock write.
    func files() async throws -> [String] {
        var files: [String] = []
        for host in hosts {
            files += try await lab.must(
                on: host,
                """
                find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /dev -o -path /var/log \
                    -o -path /var/lib/systemd \\) -prune -o -printf '\(host) %p %y %s %T@ %C@\\n' | sort
                """
            ).linesOfOutput
        }
        return files
    }

    /// When each daemon was started.
    func startTimes() async throws -> [String] {
        var times: [String] = []
        for host in hosts {
            times += try await lab.must(
                on: host,
                """
                for unit in etcd patroni pgbouncer haproxy keepalived; do
                    echo "\(host) $unit $(systemctl show -p ExecMainStartTimestampMonotonic --value $unit)"
                done
                """
            ).linesOfOutput
        }
        return times
    }

    /// Runs SQL as a client does: by password, through the address, to the leader or to a replica.
    @discardableResult
    func sql(_ statement: String, port: Int = 5000) async throws -> String {
        try await lab.must(
            on: "pg2",
            "PGPASSWORD=\(lab.password(of: "app")) psql -h 10.70.0.100 -p \(port) -U app app -XAtq -c \"\(statement)\"")
    }
}
