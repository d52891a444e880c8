public import Engine

/// The rules of a table of the family `inet` that are in force, as `nft` lists them, without counters.
public struct NftablesListing: Fact {
    public let table: String

    public init(_ table: String) {
        self.table = table
    }

    static func command(_ table: String) -> ShellText { "nft --stateless list table inet \(quoting: table)" }

    public static func script(for questions: [NftablesListing]) -> ShellText {
        questions.map { "printf '\\035\\n'\n\(command($0.table)) 2>/dev/null" as ShellText }.joined(separator: "\n")
    }

    /// The answer is empty when there is no such table.
    public static func answers(
        to questions: [NftablesListing], from output: String
    ) throws -> [NftablesListing: [String]] {
        let parts = output.split(separator: "\u{1d}\n", omittingEmptySubsequences: false)
        guard parts.count == questions.count + 1 else { throw UnreadableAnswer(NftablesListing.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, parts.dropFirst().map { String($0).linesOfText }))
    }
}
