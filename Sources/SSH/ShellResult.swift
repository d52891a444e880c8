/// What a script printed and how it ended.
public struct ShellResult: Hashable, Sendable {
    /// The exit status; 128 and more mean a signal, as in any shell.
    public var status: Int32
    /// The bytes that the script wrote to its standard output: all, or the last ones where others have got them all.
    public var standardOutput: [UInt8]
    /// The bytes that the script wrote to its standard error, likewise.
    public var standardError: [UInt8]

    public init(status: Int32, standardOutput: [UInt8] = [], standardError: [UInt8] = []) {
        self.status = status
        self.standardOutput = standardOutput
        self.standardError = standardError
    }

    /// The standard output as text; what is no UTF-8 shows as U+FFFD.
    public var standardOutputText: String { String(decoding: standardOutput, as: UTF8.self) }
    /// The standard error as text; what is no UTF-8 shows as U+FFFD.
    public var standardErrorText: String { String(decoding: standardError, as: UTF8.self) }
}

/// A piece of what a script prints, as it arrives.
public enum Output: Hashable, Sendable {
    case standardOutput([UInt8])
    case standardError([UInt8])
}

/// What becomes of a running script when the controller vanishes: a cut line, a killed program.
public enum AbandonmentPolicy: Hashable, Sendable, CaseIterable {
    /// The script changes nothing. It is ended, and a program that it is waiting for may go on for a moment.
    case look
    /// The script is ended: TERM at once, KILL after 10 s.
    case end
    /// The script runs to its end, whoever listens, or as far as it cares to when it looks for `$DROVER_HALT`; its output is kept on the host until the next such script.
    case finish
}
