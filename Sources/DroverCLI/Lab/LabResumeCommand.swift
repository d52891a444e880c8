import ArgumentParser
import Lab

/// `drover lab resume HOST`
struct LabResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Let a paused host run again.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.resume(host) }
}
