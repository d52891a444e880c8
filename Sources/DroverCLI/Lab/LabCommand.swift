public import ArgumentParser
import Lab

/// `drover lab`: test hosts on this machine.
public struct LabCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "Test hosts on this machine.",
        discussion: """
            The hosts pg1, pg2, ... have the addresses 10.70.0.11, 10.70.0.12, ..., which exist only inside the lab:
            reach them with 'drover lab exec -- COMMAND'. All of this is for root on Linux.
            """,
        subcommands: [
            LabUpCommand.self, LabDownCommand.self, LabListCommand.self, LabExecCommand.self, LabKillCommand.self,
            LabStartCommand.self, LabCutCommand.self, LabJoinCommand.self, LabPauseCommand.self, LabResumeCommand.self,
            LabSnapshotCommand.self, LabRestoreCommand.self, LabSnapshotsCommand.self, LabForgetCommand.self,
        ])

    public init() {}
}

/// Which lab a command is about.
struct LabOptions: ParsableArguments {
    @Option(help: "The lab, when there is more than one.") var name = "lab"

    var lab: Lab { get throws { try Lab.open(name: name) } }
}
