import ArgumentParser
import DroverCLI

@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "drover", subcommands: [LabCommand.self])
}
