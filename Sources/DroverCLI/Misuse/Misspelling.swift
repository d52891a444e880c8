import Diagnostics

/// The first word of a command line that is neither a command nor an option where it stands.
///
/// The argument parser itself complains about what it misses before it complains about what it does not know: of
/// `--inventry hosts.yml` it says that the inventory is missing.
struct Misspelling {
    private let program: String
    private let playbooks: [String]
    private let words: [String]

    /// - Parameters:
    ///   - program: how the program was started.
    ///   - playbooks: their names.
    ///   - words: the command line after the program.
    init(program: String, playbooks: [String], words: [String]) {
        self.program = program
        self.playbooks = playbooks
        self.words = words
    }

    /// What is wrong with the word, and what was probably meant; nil when there is no such word.
    func diagnostic(in root: CommandTree) -> Diagnostic? {
        var path = [root]
        var index = words.startIndex
        while index < words.endIndex, words[index] != "--" {
            let (word, command) = (words[index], path[path.endIndex - 1])
            index += 1
            if word.hasPrefix("-"), word != "-" {
                let option = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
                if command.takesValue(word) {
                    index += 1
                } else if !command.isOption(option), !command.isCluster(word) {
                    return unknownOption(option, of: path, at: index - 1)
                }
            } else if !command.commands.isEmpty {
                guard let next = command.command(named: word) else { return unknownCommand(word, in: path) }
                if next.commandName == "help" { return nil }
                path.append(next)
            }
        }
        return nil
    }

    private func unknownCommand(_ word: String, in path: [CommandTree]) -> Diagnostic {
        let names = path[path.endIndex - 1].commands.map(\.commandName).filter { $0 != "help" }
        guard path.count == 1 else {
            let isPlaybook = playbooks.contains(where: names.contains)
            let list = "\(isPlaybook ? "the playbooks are" : "there are") \(names.joined(separator: ", "))"
            return Diagnostic(
                "unknown \(isPlaybook ? "playbook" : "command") '\(word)'",
                remedy: Suggestion.remedy(for: word, among: names) ?? list)
        }
        if playbooks.contains(word) {
            return Diagnostic(
                "'\(word)' is a playbook, not a command", remedy: "write '\(line(["apply"] + words))'")
        }
        if let remedy = Suggestion.remedy(for: word, among: names) {
            return Diagnostic("unknown command '\(word)'", remedy: remedy)
        }
        let playbook = Suggestion.nearest(to: word, among: playbooks)
        return Diagnostic(
            "unknown command '\(word)'",
            remedy: playbook.map { "did you mean '\(program) apply \($0)'?" }
                ?? "'\(program) --help' lists the commands")
    }

    private func unknownOption(_ option: String, of path: [CommandTree], at index: Int) -> Diagnostic {
        let command = path[path.endIndex - 1]
        let name = path.dropFirst().map(\.commandName).joined(separator: " ")
        let message = "unknown option '\(option)'\(name.isEmpty ? "" : " of '\(name)'")"
        let others = words[..<index] + words[(index + 1)...]
        if Self.wordsForPlan.contains(option), path.count > 1 {
            switch path[1].commandName {
            case "apply":
                return Diagnostic(message, remedy: "to change nothing, write '\(line(["plan"] + others.dropFirst()))'")
            case "plan": return Diagnostic(message, remedy: "leave it out: 'plan' changes nothing")
            default: break
            }
        }
        let long = command.options.filter { $0.hasPrefix("--") }
        if option.hasPrefix("--"), let remedy = Suggestion.remedy(for: option, among: long) {
            return Diagnostic(message, remedy: remedy)
        }
        guard path.count > 1 else {
            return Diagnostic(message, remedy: "write the command first: '\(program) --help' lists the commands")
        }
        return Diagnostic(message, remedy: "'\(program) \(name) --help' lists the options")
    }

    /// The options of other tools for a run that changes nothing.
    private static let wordsForPlan: Set = ["--check", "-C", "--dry-run", "--dry", "--noop"]

    private func line(_ words: some Sequence<String>) -> String { CommandLineText.of([program] + words) }
}
