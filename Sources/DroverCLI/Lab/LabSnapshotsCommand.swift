import ArgumentParser
import Lab

/// `drover lab snapshots`
struct LabSnapshotsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshots", abstract: "List the snapshots of labs.")

    func run() throws {
        for name in Lab.snapshots { Terminal.print(name) }
    }
}
