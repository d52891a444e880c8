import ArgumentParser
import Lab

/// `drover lab pause HOST`
struct LabPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Stop all processes of a host, as a hypervisor does that pauses a machine.")

    @Argument(help: "The host, as 'drover lab list' names it.") var host: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.pause(host) }
}
