public import ArgumentParser
import Diagnostics
import Engine
import Inventory
import SystemPackage

/// `drover run -i INVENTORY PATTERN -- COMMAND`
public struct RunCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run one command on many hosts.",
        usage: "drover run -i INVENTORY PATTERN -- COMMAND",
        discussion: """
            A command of several words is run as it stands; a single word is a shell text: drover run -i hosts.yml all -- \
            'uptime | cut -c1-60'. Its standard input is empty. Each line comes with the name of its host before it. Ctrl-C \
            ends the command on all hosts. The exit status is 3 when it failed on a host.
            """)

    @OptionGroup var options: CommonOptions

    @Option(help: "On how many hosts to run it at the same time, at most.")
    var parallel = RunOptions().parallel

    @Argument(help: "The hosts, by a pattern like web,&east,!web3.", completion: .hosts)
    var pattern: String

    @Argument(parsing: .postTerminator, help: "The command, after '--'.")
    var command: [String]

    public init() {}

    public func validate() throws {
        guard !command.isEmpty else { throw ValidationError("there is no command; write it after '--'") }
        guard parallel > 0 else { throw ValidationError("--parallel \(parallel): at least one host must be worked on") }
    }

    public func run() async throws {
        try await Failure.explained {
            let inventory = try await options.loadInventory()
            let hosts = try HostPattern(pattern).hosts(in: inventory)
            let interruption = Interruption()
            let script: ShellText =
                command.count == 1
                ? "\(trusted: command[0], because: "it is what the person wants to be run")" : "\(words: command)"
            let command = HostCommand(
                script, settings: try await options.settings(for: inventory),
                parallel: parallel, interruption: interruption)
            let lines = HostLines<HostCommand.Stream>(hosts: hosts.map(\.name)) { text, stream in
                Terminal.write(TerminalText(text), to: stream == .standardOutput ? .standardOutput : .standardError)
            }
            defer { lines.finish() }
            do {
                return report(
                    try await Interrupts.guarding(interruption) {
                        try await command.run(on: hosts) { lines.take($2, from: $0.name, on: $1) }
                    })
            } catch is CancellationError {
                Terminal.printError("interrupted; the command was ended on all hosts")
                return .interrupted
            }
        }
    }

    /// Tells which hosts failed.
    private func report(_ outcomes: [(host: Host, outcome: Result<Int32, any Error>)]) -> ExitStatus {
        var failures: [HostFailures.Failure] = []
        var isFailed = false
        for (host, outcome) in outcomes {
            switch outcome {
            case .success(0): break
            case .success(let status):
                isFailed = true
                Terminal.printError("\(host.name): the command ended with exit status \(status)")
            case .failure(let error): failures.append(HostFailures.Failure(host: host, error: error))
            }
        }
        guard failures.isEmpty else {
            Terminal.printError(HostFailures(failures))
            return HostFailures(failures).exitStatus
        }
        return isFailed ? .stepFailed : .done
    }
}
