import Diagnostics
import Dispatch
package import FoundationEssentials
import Secrets
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The terminal, if there is one.
package enum Terminal {
    /// Whether somebody can answer a question.
    package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Whether the standard output is a terminal whose cursor can be moved.
    static let hasCursor: Bool = {
        let kind = ProcessInfo.processInfo.environment["TERM", default: ""]
        return isatty(STDOUT_FILENO) == 1 && !["", "dumb"].contains(kind)
    }()

    /// Whether colours are welcome on the standard output.
    package static let hasColours = hasColours(STDOUT_FILENO)

    /// Whether colours are welcome (<https://no-color.org>).
    private static func hasColours(_ file: CInt) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(file) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// The columns and lines of the standard output at this moment.
    static var size: (width: Int, height: Int) { size(STDOUT_FILENO) }

    private static func size(_ file: CInt) -> (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Whether somebody still reads the standard output.
    package static var hasReader: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) == 0
    }

    /// Replaces this program by one that is found in `PATH`. Returns only when there is none.
    package static func become(_ program: String, with arguments: [String]) {
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        execvp(program, &words)
        for word in words { free(word) }
    }

    /// Whether a question stands on the line of the cursor.
    private static let isAsking = Mutex(false)

    /// Asks a question. It is taken back when the task is cancelled.
    ///
    /// - Returns: the line that was typed, or nil when there was none.
    static func ask(_ question: String) async -> String? {
        write(TerminalText(question), to: .standardOutput)
        isAsking.withLock { $0 = true }
        let answer = AsyncStream<String?> { continuation in
            // Reading cannot be interrupted; a thread that still reads ends with the program.
            DispatchQueue.global().async {
                continuation.yield(readLine())
                continuation.finish()
            }
        }
        for await line in answer {
            // The person's own line break ended the line of the question.
            isAsking.withLock { $0 = line == nil }
            return line
        }
        write(TerminalText(""), to: .standardOutput)
        return nil
    }

    /// Whether there is a terminal from which a password can be read, wherever the standard input comes from.
    static var hasKeyboard: Bool {
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite) else { return false }
        try? terminal.close()
        return true
    }

    /// Asks for something that does not show while it is typed.
    ///
    /// - Throws: a `Diagnostic` when there is no terminal, or the input ends; `CancellationError` for Ctrl-C.
    static func askSecret(_ question: String) throws -> Secret {
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite) else {
            throw Diagnostic(
                "nobody is there to be asked for a password: there is no terminal",
                remedy: "take it from outside in the inventory, by '!env NAME', '!file PATH' or '!command ARGV'")
        }
        defer { try? terminal.close() }
        var mode = termios()
        tcgetattr(terminal.rawValue, &mode)
        var silent = mode
        // Ctrl-C arrives as a character, so that the terminal is left as it was found.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        // What was typed before the question is no answer to it.
        tcsetattr(terminal.rawValue, TCSAFLUSH, &silent)
        defer {
            tcsetattr(terminal.rawValue, TCSAFLUSH, &mode)
            _ = try? terminal.writeAll("\n".utf8)
        }
        _ = try? terminal.writeAll(question.utf8)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while byte != UInt8(ascii: "\n") {
            let count = try withUnsafeMutableBytes(of: &byte) { try terminal.read(into: $0) }
            guard count == 1, byte != 0x04 else { throw Diagnostic("the answer to '\(question)' has no end") }
            switch byte {
            case 0x03, 0x1C: throw CancellationError()
            // Backspace takes a whole character, whatever its bytes.
            case 0x08, 0x7F: while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
            case 0x15: bytes = []
            default: bytes.append(byte)
            }
        }
        return Secret(String(decoding: bytes.dropLast(), as: UTF8.self))
    }

    /// The name by which the program was started.
    static let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "drover"

    /// What is to be told when nothing else moves the cursor any more.
    private static let notes = Mutex<[String]>([])

    static func noteForTheEnd(_ text: String) { notes.withLock { $0.append(text) } }

    static func printNotes() {
        for note in notes.withLock({ notes in
            defer { notes = [] }
            return notes
        }) { printError(note) }
    }

    package static func printError(_ text: String) { printError(errorText.lines(text, from: program)) }

    package static func printError(_ error: any Error) { printError(errorText.lines(error, from: program)) }

    private static func printError(_ lines: [String]) {
        write(TerminalText(lines.joined(separator: "\n") + "\n"), to: .standardError)
    }

    private static var errorText: ErrorText {
        ErrorText(
            style: Style(isColoured: hasColours(STDERR_FILENO)),
            width: isatty(STDERR_FILENO) == 1 ? size(STDERR_FILENO).width : nil)
    }

    /// Writes a line.
    package static func print(_ line: String) { print(TerminalText(line)) }

    static func print(_ line: TerminalText) { write(line + TerminalText("\n"), to: .standardOutput) }

    /// Writes a value as JSON.
    package static func print(json value: some Encodable, by encoder: JSONEncoder) throws {
        print(TerminalText(json: try encoder.encode(value)))
    }

    /// A reader that went away is no reason to fail: the work goes on.
    static func write(_ text: TerminalText, to file: FileDescriptor) {
        isAsking.withLock { isAsking in
            let text = isAsking ? "\n" + text.text : text.text
            isAsking = false
            guard !text.isEmpty else { return }
            _ = try? file.writeAll(text.utf8)
        }
    }
}
