import ArgumentParser
import Lab

/// `drover lab exec -- COMMAND`
struct LabExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command from where the hosts of a lab can be reached.",
        discussion: "Its input, output, signals and exit status are those of this command.")

    @OptionGroup var options: LabOptions
    @Argument(parsing: .postTerminator, help: "The program and its arguments, after '--'.") var command: [String]

    func run() async throws {
        try options.lab.exec(command)
    }
}
