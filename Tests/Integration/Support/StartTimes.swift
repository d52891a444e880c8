extension TestLab {
    /// When each daemon of a cluster started, by the clock of its host.
    func startTimes(of hosts: [String]) async throws -> [String] {
        var times: [String] = []
        for host in hosts {
            times += try await must(
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
}
