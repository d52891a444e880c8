import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The keys of a terminal, one by one and without their echo.
struct Keyboard {
    private let mode: termios

    /// - Parameter onKey: called for each byte that is typed, on a thread that ends with the program.
    /// - Returns: nil when the standard input is no terminal.
    static func open(onKey: @escaping @Sendable (UInt8) -> Void) -> Keyboard? {
        var mode = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
        var single = mode
        single.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // A program that is suspended would leave its view on the terminal of the shell.
        withUnsafeMutableBytes(of: &single.c_cc) { $0[Int(VSUSP)] = 0 }
        tcsetattr(STDIN_FILENO, TCSANOW, &single)
        DispatchQueue.global().async {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) == 1 { onKey(byte) }
        }
        return Keyboard(mode: mode)
    }

    func close() {
        var mode = mode
        // Keys that were typed at the view are none for the shell.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    }
}
