import DroverCLI
import PostgresCluster

/// A cluster's status on one screen.
struct StatusText {
    let status: ClusterStatus
    let style: Style

    var lines: [String] {
        let following = status.follows.map { ", a standby cluster of \($0)" } ?? ""
        var lines = [style.bold("Cluster \(status.cluster)\(following)"), ""]
        lines += Text.table(
            [["member", "role", "state", "timeline", "lag"]]
                + status.members.map { member in
                    [
                        member.name, member.role == "standby_leader" ? "standby leader" : member.role ?? "-",
                        member.state, member.timeline.map(String.init) ?? "-",
                        member.isLeader ? "" : member.lag.map(Text.bytes) ?? "-",
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
        if status.addressFollowsLeader, let address = status.address {
            lines += ["", "\(address) is at \(list(status.holders)): it follows the leader"]
        }
        if let backups = status.backups { lines += [""] + text(of: backups) }
        lines += [""]
        if status.findings.isEmpty { return lines + [style.green("Nothing to complain about.")] }
        return lines
            + status.findings.flatMap { finding in
                ["\(mark(finding.severity))  \(finding.text)", "          \(style.cyan("→")) \(finding.remedy)"]
            }
    }

    private func mark(_ severity: Finding.Severity) -> String {
        let word = Text.padded(severity.rawValue, 8)
        return switch severity {
        case .critical: style.red(word)
        case .warning: style.yellow(word)
        case .note: style.cyan(word)
        }
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: " ") }

    private func text(of backups: BackupStatus) -> [String] {
        Text.table([
            ["archive", "last segment", "failed attempts", "backups", "newest", "age"],
            [
                backups.isArchiving ? "healthy" : "not healthy", backups.archived ?? "-",
                backups.failures.map(String.init) ?? "-", "\(backups.count)", backups.newest ?? "-",
                backups.age.map(Text.age) ?? "-",
            ],
        ])
    }
}
