import Foundation
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

    /// Asks a question that only `y` or `yes` answers with yes. It is taken back when the task is cancelled.
    static func confirm(_ question: String) async -> Bool {
        write("\(question) [y/N] ", to: .standardOutput)
        let answer = AsyncStream<String?> { continuation in
            // Reading cannot be interrupted; a thread that still reads ends with the program.
            Thread.detachNewThread {
                continuation.yield(readLine())
                continuation.finish()
            }
        }
        for await line in answer { return ["y", "yes"].contains(line?.lowercased()) }
        write("\n", to: .standardOutput)
        return false
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
