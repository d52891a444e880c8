import ArgumentParser
import Lab

/// `drover lab forget SNAPSHOT`
struct LabForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "forget", abstract: "Remove a snapshot.")

    @Argument(help: "The snapshot, as 'drover lab snapshots' names it.") var snapshot: String

    func run() async throws { try await Lab.forget(snapshot) }
}
