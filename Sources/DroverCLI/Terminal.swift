import FoundationEssentials
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The terminal, if there is one.
enum Terminal {
    /// Whether somebody can answer a question.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Whether colours are welcome on the standard output (<https://no-color.org>).
    static let hasColours: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    /// Asks a question that only `y` or `yes` answers with yes.
    static func confirm(_ question: String) -> Bool {
        write("\(question) [y/N] ", to: .standardOutput)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    /// The name by which the program was started.
    static let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "drover"

    static func printError(_ text: String) {
        write("\(program): \(text)\n", to: .standardError)
    }

    /// A reader that went away is no reason to fail: the work goes on.
    static func write(_ text: String, to file: FileDescriptor) {
        _ = try? file.writeAll(text.utf8)
    }
}
