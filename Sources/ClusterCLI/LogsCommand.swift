import ArgumentParser
import DroverCLI
import Engine
import FoundationEssentials
import Inventory
import PostgresCluster
import Synchronization

/// `drover logs`: the messages of all daemons of a cluster.
struct LogsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logs", abstract: "Print the messages of a cluster's daemons, of all hosts in the order of time.",
        discussion: """
            HOST is a host pattern. ROLE is \(LogRole.allCases.map(\.rawValue).joined(separator: ", ")); Drover asks the \
            cluster which member is the leader. Without either it prints the messages of all daemons. The exit status is 4 \
            if a host is unreachable.
            """)

    @OptionGroup var options: CommonOptions

    @Option(
        help: "Print messages since this long ago, such as 30m, 2h or 7d, or since a time such as '2026-11-25 03:40Z'.")
    var since = "1h"

    @Option(help: "Print the messages of this unit, such as patroni or etcd. You can give the option several times.")
    var unit: [String] = []

    @Flag(help: "Print new messages until Ctrl-C.")
    var follow = false

    @Flag(help: "Print JSON, an object for each message, one a line.")
    var json = false

    @Argument(help: "Hosts and roles.")
    var selection: [String] = []

    func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let logs = try ClusterLogs(of: inventory, selection, units: unit, since: try LogStart(since))
            let settings = try await options.settings(for: inventory)
            let interruption = Interruption()
            let (follow, json) = (follow, json)
            let text = Mutex(LogText(hosts: logs.hosts, style: Style(isColoured: Terminal.hasColours)))
            let outcome = try await Interrupts.guarding(interruption) {
                try await logs.read(follows: follow, settings: settings, interruption: interruption) { entries in
                    for entry in entries {
                        if json {
                            try? Terminal.print(json: LogText.json(of: entry), by: JSONEncoder())
                        } else {
                            text.withLock { $0.lines(of: entry) }.forEach { Terminal.print($0) }
                        }
                    }
                }
            }
            return Self.report(outcome)
        }
    }

    /// Prints what else there is to tell after the messages.
    static func report(_ outcome: ClusterLogs.Outcome) -> ExitStatus {
        for clock in outcome.clocks {
            Terminal.printError("\(clock): the order of its messages is wrong by as much")
        }
        for (host, text) in outcome.complaints { Terminal.printError("\(host): \(text)") }
        guard outcome.failures.isEmpty else {
            Terminal.printError(HostFailures(outcome.failures))
            return HostFailures(outcome.failures).exitStatus
        }
        return outcome.complaints.isEmpty ? .done : .stepFailed
    }
}
