import ArgumentParser
import Lab

/// `drover lab down`
struct LabDownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Remove a lab with all that its hosts have written.")

    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.down() }
}
