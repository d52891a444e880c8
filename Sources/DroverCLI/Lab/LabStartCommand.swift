import ArgumentParser
import Lab

/// `drover lab start HOST`
struct LabStartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Boot a host again, and wait until it answers.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.start(host) }
}
