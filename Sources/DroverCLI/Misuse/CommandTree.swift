import FoundationEssentials

/// A command with its options and the commands below it, as the argument parser describes them.
struct CommandTree: Decodable {
    private struct Option: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        var names: [Name]?

        /// As they are written: `-i`, `--inventory`.
        var words: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    }

    let commandName: String
    private var subcommands: [CommandTree]?
    private var arguments: [Option]?

    /// - Parameter dump: what `--experimental-dump-help` prints.
    /// - Throws: `DecodingError` for anything else.
    init(dump: String) throws {
        struct Tool: Decodable { let command: CommandTree }
        self = try JSONDecoder().decode(Tool.self, from: Data(dump.utf8)).command
    }

    var commands: [CommandTree] { subcommands ?? [] }

    /// All options, as they are written.
    var options: [String] { (arguments ?? []).flatMap(\.words) }

    func command(named name: String) -> CommandTree? { commands.first { $0.commandName == name } }

    func isOption(_ word: String) -> Bool { options.contains(word) }

    /// Whether a value follows the option in the next word.
    func takesValue(_ option: String) -> Bool {
        (arguments ?? []).contains { $0.kind == "option" && $0.words.contains(option) }
    }

    /// Whether the word is a hyphen and letters each of which is an option, the last one possibly with its value.
    func isCluster(_ word: String) -> Bool {
        guard let first = word.dropFirst().first, !word.hasPrefix("--") else { return false }
        return takesValue("-\(first)") || word.dropFirst().allSatisfy { isOption("-\($0)") }
    }
}
