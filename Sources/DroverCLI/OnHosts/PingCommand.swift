public import ArgumentParser
import Diagnostics
import Engine
import Inventory

/// `drover ping -i INVENTORY [PATTERN]`
public struct PingCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "ping", abstract: "Try whether hosts can be reached, logged in to and worked on.",
        usage: "drover ping -i INVENTORY [PATTERN]",
        discussion:
            "The exit status is 4 when a host cannot be reached, and 5 when it refuses the login, its key or sudo.")

    @OptionGroup var options: CommonOptions

    @Option(help: "How many hosts to try at the same time, at most.")
    var parallel = RunOptions().parallel

    @Flag(help: "Print JSON, an object for each host, one a line.")
    var json = false

    @Argument(help: "The hosts, by a pattern like web,&east,!web3; all of them unless given.", completion: .hosts)
    var pattern = "all"

    public init() {}

    public func validate() throws {
        guard parallel > 0 else { throw ValidationError("--parallel \(parallel): at least one host must be worked on") }
    }

    public func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let hosts = try HostPattern(pattern).hosts(in: inventory)
            let interruption = Interruption()
            let ping = Ping(
                settings: try await options.settings(for: inventory), parallel: parallel, interruption: interruption)
            let outcomes = try await Interrupts.guarding(interruption) {
                try await ping.ask(hosts)
            }
            let text = PingText(outcomes: outcomes)
            if json {
                for line in try text.json { Terminal.print(line) }
            } else {
                for line in text.lines { Terminal.print(line) }
            }
            let failures = text.failures
            guard !failures.isEmpty else { return .done }
            if !json { Terminal.printError(HostFailures(failures)) }
            return HostFailures(failures).exitStatus
        }
    }
}
