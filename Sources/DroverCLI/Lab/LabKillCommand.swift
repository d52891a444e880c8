import ArgumentParser
import Lab

/// `drover lab kill HOST`
struct LabKillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "kill", abstract: "Take a host's power away.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.kill(host) }
}
