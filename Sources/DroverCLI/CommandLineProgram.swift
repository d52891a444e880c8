public import ArgumentParser
import Diagnostics
import Engine
import Inventory

/// A program around playbooks, with all commands that `drover` has but those about clusters.
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

    /// What it knows of clusters; nil for a program for plain hosts.
    static var clusters: (any ClusterSupport)? { get }
}

extension CommandLineProgram {
    public static var commands: [any ParsableCommand.Type] { [] }

    public static var clusters: (any ClusterSupport)? { nil }

    /// Does what the command line says, and ends the program; after wrong use with the status of wrong input.
    public static func main() async {
        await Clusters.$support.withValue(clusters) { await run() }
    }

    private static func run() async {
        do {
            var command = try Root<Self>.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                // What one playbook reads is no stranger to another: an inventory is for all of them.
                let playbooks = all
                let readers = VariableReaders { name in playbooks.contains { $0.reads(name) } }
                try await Variables.$otherReaders.withValue(readers) { try await command.run() }
            } else {
                try command.run()
            }
            ProgramEnd.end(ExitStatus.done.rawValue)
        } catch let code as ExitCode {
            ProgramEnd.end(code.rawValue)
        } catch {
            // What is no plain exit code is help that was asked for, or wrong use.
            guard !Root<Self>.exitCode(for: error).isSuccess else { Root<Self>.exit(withError: error) }
            if let misspelling {
                Terminal.printError(misspelling)
            } else {
                let message = Root<Self>.fullMessage(for: error)
                Terminal.printError(
                    message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
            }
            Root<Self>.exit(withError: ExitCode(ExitStatus.wrongInput.rawValue))
        }
    }

    private static var misspelling: Diagnostic? {
        let words = Array(CommandLine.arguments.dropFirst())
        return (try? CommandTree(dump: Root<Self>._dumpHelp())).flatMap {
            Misspelling(program: Terminal.program, playbooks: all.map { $0.name }, words: words).diagnostic(in: $0)
        }
    }
}

/// The command that has all others below it.
private struct Root<Program: CommandLineProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Program.name, abstract: Program.abstract, version: ProgramVersion.text,
            subcommands: [
                PlanCommand<Program>.self, ApplyCommand<Program>.self, RollbackCommand.command, RunsCommand.self,
                PlaybooksCommand<Program>.self, InventoryCommand.self, PingCommand.self, RunCommand.self,
                FactsCommand.self, SecretCommand.self, LabCommand.self,
            ] + Program.commands)
    }
}
