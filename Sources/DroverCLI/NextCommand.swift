/// The command that carries out a plan which was only shown.
struct NextCommand {
    let playbook: String
    /// The file of the plan, when it was saved.
    let saved: String?
    /// The hosts that could not be asked, so that the plan is without them.
    let unasked: [String]
    /// Which hosts the person chose.
    let limit: String?
    /// How the program was started.
    var program = Terminal.program
    /// What stood on the command line after the playbook's name.
    var arguments = PlanFile.arguments

    var lines: [String] {
        if let saved { return ["To apply it: \(line(["apply", "--plan", saved]))"] }
        let words = ["apply", playbook] + Self.withoutSecrets(arguments)
        guard !unasked.isEmpty else { return ["To apply it: \(line(words))"] }
        let others = ([limit ?? "all"] + unasked.map { "!\($0)" }).joined(separator: ",")
        let names = unasked.joined(separator: " ")
        return [
            "The plan is without \(names). To apply it to the others, choose them, or let as many hosts fail:",
            "  \(line(Self.without("--limit", "-l", in: words) + ["--limit", others]))",
            "  \(line(Self.without("--max-failures", in: words) + ["--max-failures", "\(unasked.count)"]))",
        ]
    }

    private func line(_ words: [String]) -> String { CommandLineText.of([program] + words) }

    /// The words without an option and its value.
    private static func without(_ names: String..., in words: [String]) -> [String] {
        var kept: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if names.contains(word) {
                _ = rest.popFirst()
            } else if !names.contains(where: { word.hasPrefix("\($0)=") }) {
                kept.append(word)
            }
        }
        return kept
    }

    /// The words with `…` in place of a variable that may be a secret: what is printed may be kept in a log.
    private static func withoutSecrets(_ words: [String]) -> [String] {
        zip([""] + words, words).map { option, word in
            let isVariable = ["-e", "--extra-vars"].contains(option) || word.hasPrefix("--extra-vars=")
            return isVariable && SourceExcerpt.mayNameSecret(word) ? "…" : word
        }
    }
}
