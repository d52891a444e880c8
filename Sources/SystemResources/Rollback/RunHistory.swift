public import Engine

/// What the runs that changed a host did there.
public struct RunHistory: Fact {
    public init() {}

    public static func script(for questions: [RunHistory]) -> ShellText {
        "for journal in \(quoting: JournalScript.runs)/*/journal; do [ ! -f \"$journal\" ] || cat \"$journal\"; done"
    }

    /// The journals, the oldest first.
    public static func answers(to questions: [RunHistory], from output: String) throws -> [RunHistory: [Journal]] {
        var texts: [String] = []
        for line in output.linesOfText {
            if line.hasPrefix("run\t") || texts.isEmpty { texts.append("") }
            texts[texts.count - 1] += line + "\n"
        }
        let journals = texts.compactMap { Journal($0) }
        return Dictionary(questions.map { ($0, journals) }, uniquingKeysWith: { first, _ in first })
    }
}
