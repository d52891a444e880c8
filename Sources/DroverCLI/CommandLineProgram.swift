public import ArgumentParser
import Drover

/// Runs a command line program whose wrong use exits with the status of wrong input.
public enum CommandLineProgram {
    public static func run(_ root: (some AsyncParsableCommand).Type, playbooks: (some PlaybookList).Type) async {
        if let complaint = playbooks.complaint(about: CommandLine.arguments.dropFirst()) {
            Terminal.printError("\(complaint)")
            root.exit(withError: ExitCode(ExitStatus.wrongInput.rawValue))
        }
        do {
            var command = try root.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            root.exit(withError: code)
        } catch {
            // What is no plain exit code is help that was asked for, or wrong use.
            guard !root.exitCode(for: error).isSuccess else { root.exit(withError: error) }
            let message = root.fullMessage(for: error)
            Terminal.printError(message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
            root.exit(withError: ExitCode(ExitStatus.wrongInput.rawValue))
        }
    }
}
