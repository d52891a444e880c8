import Engine

/// A failure on the terminal.
struct FailureText {
    let account: FailureAccount
    let style: Style

    /// How many different outputs of the same failure are quoted.
    private static let quotationLimit = 3

    /// When it happens: the cause in one line, to be told in full at the end.
    var line: String {
        let status = account.exitStatus.map { " (exit status \($0))" } ?? ""
        return "  \(style.red("✗")) \(account.hosts.joined(separator: " ")): \(account.title)\(status)"
    }

    /// At the end of the run: everything that helps to mend it.
    var lines: [String] {
        var lines = ["  \(style.red("✗")) \(account.hosts.joined(separator: " ")): \(style.bold(account.title))"]
        if !account.place.isEmpty { lines.append("    " + account.place) }
        lines += block("still to change:", account.wanted)
        lines += block("the command:", account.command)
        for quotation in account.quotations.prefix(Self.quotationLimit) {
            lines += block("its output\(quotation.place(among: account.hosts)):", quotation.lines)
        }
        let more = account.quotations.count - Self.quotationLimit
        if more > 0 { lines.append(style.faint("    … and \(Text.count(more, "other output"))")) }
        lines += block("not begun:", account.notBegun)
        return lines + ["    \(style.cyan("→")) \(account.advice)"]
    }

    private func block(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [style.faint("    " + title)] + lines.map { $0.isEmpty ? "" : "      " + $0 }
    }
}
