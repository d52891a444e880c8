import Diagnostics

/// From when on messages are wanted.
public enum LogStart: Hashable, Sendable {
    case ago(seconds: Int)
    case moment(Moment)

    /// Reads `90s`, `30m`, `2h`, `7d`, or a time such as `2026-11-25 03:40Z`.
    ///
    /// - Throws: a `Diagnostic` when it is neither.
    public init(_ text: String) throws {
        let seconds = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        if let parts = text.wholeMatch(of: /(\d{1,7})([smhd])/)?.output, let count = Int(parts.1),
            let unit = seconds[String(parts.2)]
        {
            self = .ago(seconds: count * unit)
            return
        }
        do {
            self = .moment(try Moment(text))
        } catch {
            throw Diagnostic(
                error == .zone ? "'\(text)' has no time zone" : "'\(text)' is no time",
                remedy: "write such as 30m, 2h, 7d, or '2026-11-25 03:40Z'")
        }
    }

    /// - Parameter now: seconds since 1970.
    func seconds(at now: Int) -> Int {
        switch self {
        case .ago(let seconds): now - seconds
        case .moment(let moment): moment.microseconds / 1_000_000
        }
    }
}
