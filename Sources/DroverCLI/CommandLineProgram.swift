public import ArgumentParser
import Drover
import Inventory

/// A program around playbooks, with the commands `plan`, `apply`, `rollback`, `runs`, `playbooks` and `lab`.
///
///     @main
///     enum Main: CommandLineProgram {
///         static let name = "herd"
///         static let abstract = "Looks after our servers."
///         static let all: [any Playbook.Type] = [Baseline.self]
///     }
public protocol CommandLineProgram: PlaybookList {
    /// The name on the command line.
    static var name: String { get }

    /// One sentence for its help.
    static var abstract: String { get }

    /// The commands that it has beyond those.
    static var commands: [any ParsableCommand.Type] { get }
}

extension CommandLineProgram {
    public static var commands: [any ParsableCommand.Type] { [] }

    /// Does what the command line says; wrong use exits with the status of wrong input.
    public static func main() async {
        if let complaint = complaint(about: CommandLine.arguments.dropFirst()) { exit(complainingOf: "\(complaint)") }
        do {
            var command = try Root<Self>.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                // What one playbook reads is no stranger to another: an inventory is for all of them.
                let playbooks = all
                try await Variables.$isReadElsewhere.withValue({ name in playbooks.contains { $0.reads(name) } }) {
                    try await command.run()
                }
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            Root<Self>.exit(withError: code)
        } catch {
            // What is no plain exit code is help that was asked for, or wrong use.
            guard !Root<Self>.exitCode(for: error).isSuccess else { Root<Self>.exit(withError: error) }
            let message = Root<Self>.fullMessage(for: error)
            exit(complainingOf: message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
        }
    }

    private static func exit(complainingOf message: String) -> Never {
        Terminal.printError(message)
        Root<Self>.exit(withError: ExitCode(ExitStatus.wrongInput.rawValue))
    }
}

/// The command that has all others below it.
private struct Root<Program: CommandLineProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Program.name, abstract: Program.abstract,
            subcommands: [
                PlanCommand<Program>.self, ApplyCommand<Program>.self, RollbackCommand.command, RunsCommand.self,
                PlaybooksCommand<Program>.self, LabCommand.self,
            ] + Program.commands)
    }
}
