import ArgumentParser
import Lab

/// `drover lab snapshot SNAPSHOT`
struct LabSnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Keep what a lab is now, to restore it at any time.",
        discussion: """
            The hosts stand still while their disks are copied, and go on. The snapshot has their disks, the keys, and what \
            lies in the folder of the lab, /run/drover/lab/NAME. One of the same name is replaced.
            """)

    @Argument(help: "The name of the snapshot.") var snapshot: String
    @OptionGroup var options: LabOptions

    func run() async throws { try await options.lab.snapshot(as: snapshot) }
}
