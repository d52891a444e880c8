import Foundation
import Synchronization
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

    /// Whether the standard output is a terminal whose cursor can be moved.
    static let hasCursor: Bool = {
        let kind = ProcessInfo.processInfo.environment["TERM", default: ""]
        return isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(kind)
    }()

    /// Whether colours are welcome on the standard output (<https://no-color.org>).
    static let hasColours: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()

    /// The columns and lines of the standard output at this moment.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether a question stands on the line of the cursor.
    private static let isAsking = Mutex(false)

    /// Asks a question that only `y` or `yes` answers with yes. It is taken back when the task is cancelled.
    static func confirm(_ question: String) async -> Bool {
        write("\(question) [y/N] ", to: .standardOutput)
        isAsking.withLock { $0 = true }
        let answer = AsyncStream<String?> { continuation in
            // Reading cannot be interrupted; a thread that still reads ends with the program.
            Thread.detachNewThread {
                continuation.yield(readLine())
                continuation.finish()
            }
        }
        for await line in answer {
            // The person's own line break ended the line of the question.
            isAsking.withLock { $0 = line == nil }
            return ["y", "yes"].contains(line?.lowercased())
        }
        write("", to: .standardOutput)
        return false
    }

    /// The name by which the program was started.
    static let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "drover"

    static func printError(_ text: String) {
        write("\(program): \(text)\n", to: .standardError)
    }

    /// A reader that went away is no reason to fail: the work goes on.
    static func write(_ text: String, to file: FileDescriptor) {
        isAsking.withLock { isAsking in
            let text = isAsking ? "\n" + text : text
            isAsking = false
            guard !text.isEmpty else { return }
            _ = try? file.writeAll(text.utf8)
        }
    }
}
