public import ArgumentParser
public import Lab

/// `drover lab up [N]`
struct LabUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Make a lab, or add hosts to it, and wait until they answer.")

    @Argument(help: "How many hosts the lab is to have, 1 to 200.") var count = 3
    @Option(help: "The Debian that the hosts run, if the lab is new.") var release = Release.bookworm
    @Flag(help: "The hosts have the packages of a cluster already, if the lab is new.") var prepared = false
    @OptionGroup var options: LabOptions

    func run() async throws {
        let lab = try options.lab
        try await lab.up(count: count, release: release, isPrepared: prepared) { Terminal.print($0) }
        try await LabListCommand.printHosts(of: lab)
    }
}

extension Release: ExpressibleByArgument {}
