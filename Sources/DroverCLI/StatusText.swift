import PostgresCluster

/// A cluster's status on one screen.
struct StatusText {
    let status: ClusterStatus
    let style: Style

    var lines: [String] {
        var lines = [style.bold("Cluster \(status.cluster)"), ""]
        lines += Text.table(
            [["member", "role", "state", "timeline", "lag"]]
                + status.members.map { member in
                    [
                        member.name, member.role ?? "-", member.state, member.timeline.map(String.init) ?? "-",
                        member.role == "leader" ? "" : member.lag.map(bytes) ?? "-",
                    ]
                })
        lines += [""]
        lines += Text.table(
            [["etcd", "health"]] + status.etcd.map { [$0.name, $0.isHealthy ? "healthy" : "not healthy"] })
        if !status.balancers.isEmpty {
            lines += [""]
            lines += Text.table(
                [["balancer", "haproxy", "leader", "replicas", status.address ?? ""]]
                    + status.balancers.map { balancer in
                        [
                            balancer.name, balancer.isServing ? "serves" : "silent", list(balancer.leader),
                            list(balancer.replicas), balancer.holdsAddress ? "holds" : "",
                        ]
                    })
        }
        lines += [""]
        if status.findings.isEmpty { return lines + [style.green("Nothing to complain about.")] }
        return lines + status.findings.map { "\(style.red("!")) \($0)" }
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: " ") }

    private func bytes(_ count: Int) -> String {
        count < 10_240 ? "\(count) B" : count < 10_485_760 ? "\(count / 1024) KiB" : "\(count / 1_048_576) MiB"
    }
}
