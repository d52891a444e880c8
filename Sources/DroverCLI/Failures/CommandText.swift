import Engine

/// The shell text of a change as far as a person wants to read it: secrets masked, and without what is fed to programs.
enum CommandText {
    /// How many lines are shown.
    static let lineLimit = 12
    private static let width = 160

    static func lines(of script: ShellText) -> [String] {
        var lines: [String] = []
        var end: Substring?
        for line in script.description.split(separator: "\n") {
            if let word = end {
                if line.drop(while: { $0 == "\t" }) == word { end = nil }
                continue
            }
            // A colon stands where a part of the command is not needed this time.
            if line == ":" { continue }
            lines.append(Text.cut(Text.printable(String(line)), width))
            if let word = line.firstMatch(of: /<<-?[ \t]*['"\\]?([A-Za-z_][A-Za-z0-9_]*)/)?.1 {
                end = word
                lines.append("…")
            }
        }
        guard lines.count > lineLimit else { return lines }
        return lines.prefix(lineLimit - 1) + ["… and \(lines.count - lineLimit + 1) more lines"]
    }
}
