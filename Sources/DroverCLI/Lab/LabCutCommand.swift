import ArgumentParser
import Lab

/// `drover lab cut HOST`
struct LabCutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut", abstract: "Pull the network cable out of a host.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.cut(host) }
}
