import Diagnostics
import Inventory
import YAML

/// `pre_deploy_command` or `post_deploy_command`: a command of the inventory's own, before or after a deployment.
public struct DeployCommand: Sendable, Equatable {
    /// `pre_deploy` or `post_deploy`.
    let phase: String
    let text: String
    /// The groups whose hosts run it.
    let groups: [String]
    /// In seconds.
    let timeout: Int

    /// The file in which a host keeps the command that it has run.
    var mark: String { "/var/lib/drover/commands/\(phase)" }
}

extension Variables {
    /// - Parameter phase: `pre_deploy` or `post_deploy`.
    mutating func deployCommand(_ phase: String) -> DeployCommand? {
        let command = text("\(phase)_command")
        let hosts = text("\(phase)_command_hosts") ?? "postgres_cluster"
        let timeout = optional("\(phase)_command_timeout") ?? 3600
        let groups = hosts.split { $0 == "," || $0.isWhitespace }.map(String.init)
        checkGroups(groups, of: "\(phase)_command_hosts")
        if timeout < 1 {
            diagnostics.report(
                "\(timeout) seconds are too few", at: location(of: "\(phase)_command_timeout"),
                remedy: "write 1 or more")
        }
        return command.map { DeployCommand(phase: phase, text: $0, groups: groups, timeout: timeout) }
    }
}
