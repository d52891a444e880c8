import ArgumentParser
import Lab

/// `drover lab join HOST`
struct LabJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Plug the network cable into a host again.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.join(host) }
}
