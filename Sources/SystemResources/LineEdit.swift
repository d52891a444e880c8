/// Ensures that single lines of a file are as they shall be, each told from the others by what it is about.
struct LineEdit: FileEdit {
    /// Which lines are about something.
    enum Key {
        /// Those that have it in their field of this number, counted from 1, and are no comments.
        case field(Int)
        /// Those that consist of it, also as a comment: that is how an example waits to be switched on.
        case entry
        /// Those that have it among their words.
        case word
    }

    /// What the one line about something shall be.
    struct Rule {
        let subject: String
        /// Nil when there shall be none.
        let line: String?
    }

    let key: Key
    /// At least one.
    let rules: [Rule]

    /// The first line about something is replaced, further ones go; where there is none, it comes last.
    func edited(_ lines: [String]) -> [String] {
        var missing = rules.map(\.line)
        var result: [String] = []
        for line in lines {
            guard let rule = rules.firstIndex(where: { isAbout($0.subject, line) }) else {
                result.append(line)
                continue
            }
            if let wanted = missing[rule] { result.append(wanted) }
            missing[rule] = nil
        }
        return result + missing.compactMap { $0 }
    }

    func command(on path: String) -> String {
        awk(
            """
            NR == FNR { n++; tab = index($0, "\\t"); subject[n] = substr($0, 1, tab - 1); line[n] = substr($0, tab + 1); next }
            {
                entry = $0; sub(/^[# \\t]+/, "", entry); sub(/[ \\t]+$/, "", entry)
                for (i = 1; i <= n; i++) if (\(condition)) { if (!done[i]++ && line[i] != "") print line[i]; next }
                print
            }
            END { for (i = 1; i <= n; i++) if (!done[i] && line[i] != "") print line[i] }
            """, list: rules.map { "\($0.subject)\t\($0.line ?? "")" }, on: path)
    }

    private var condition: String {
        switch key {
        case .field(let number): "$0 !~ /^[ \\t]*#/ && $\(number) == subject[i]"
        case .entry: "entry == subject[i]"
        case .word: "index(\" \" $0 \" \", \" \" subject[i] \" \")"
        }
    }

    private func isAbout(_ subject: String, _ line: String) -> Bool {
        switch key {
        case .field(let number):
            let fields = line.split(whereSeparator: LineEdit.isBlank)
            return fields.first?.hasPrefix("#") == false && fields.count >= number && fields[number - 1] == subject
        case .entry:
            let start = line.drop { $0 == "#" || LineEdit.isBlank($0) }
            return start.prefix(start.count - start.reversed().prefix(while: LineEdit.isBlank).count) == subject
        case .word: return line.split(separator: " ", omittingEmptySubsequences: false).contains(Substring(subject))
        }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
