import Secrets

/// Ensures that single lines of a text are as they shall be, each told from the others by what it is about.
struct KeyedLines {
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
    let rules: [Rule]

    /// The first line about something is replaced, further ones go; where there is none, it comes last.
    func edited(_ lines: [MaskedText]) -> [MaskedText] {
        var missing = rules.map(\.line)
        var result: [MaskedText] = []
        for line in lines {
            guard let rule = rules.firstIndex(where: { isAbout($0.subject, line.reveal()) }) else {
                result.append(line)
                continue
            }
            // Kept as it was read when it says the same, secret or not.
            if let wanted = missing[rule] { result.append(wanted == line.reveal() ? line : MaskedText(wanted)) }
            missing[rule] = nil
        }
        return result + missing.compactMap { $0.map { MaskedText($0) } }
    }

    private func isAbout(_ subject: String, _ line: String) -> Bool {
        switch key {
        case .field(let number):
            let fields = line.split(whereSeparator: Self.isBlank)
            return fields.first?.hasPrefix("#") == false && fields.count >= number && fields[number - 1] == subject
        case .entry:
            let start = line.drop { $0 == "#" || Self.isBlank($0) }
            return start.prefix(start.count - start.reversed().prefix(while: Self.isBlank).count) == subject
        case .word: return line.split(separator: " ", omittingEmptySubsequences: false).contains(Substring(subject))
        }
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
}
