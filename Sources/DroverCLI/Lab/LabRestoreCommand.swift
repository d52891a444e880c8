import ArgumentParser
import Lab

/// `drover lab restore SNAPSHOT`
struct LabRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a lab what it was at a snapshot, and boot its hosts.",
        discussion: "What the lab is now is lost. Any lab can be restored from any snapshot, several from the same one."
    )

    @Argument(help: "The snapshot, as 'drover lab snapshots' names it.") var snapshot: String
    @OptionGroup var options: LabOptions

    func run() async throws {
        let lab = try options.lab
        try await lab.restore(snapshot)
        try await LabListCommand.printHosts(of: lab)
    }
}
