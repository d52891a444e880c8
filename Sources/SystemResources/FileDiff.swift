import Drover
import Secrets

/// The diff of a file that may hold secrets: neither the new ones nor the old ones are shown.
enum FileDiff {
    static func between(_ old: String, and new: MaskedText) -> UnifiedDiff {
        guard new.hasSecrets else { return UnifiedDiff(from: old, to: new.reveal()) }
        let revealed = new.reveal().linesOfText
        let masked = new.description.linesOfText
        // Secrets have no line breaks, so both have the same lines; were it not so, nothing of the old is shown.
        guard revealed.count == masked.count else { return UnifiedDiff(from: [], to: masked) }
        let known = Dictionary(zip(revealed, masked), uniquingKeysWith: { first, _ in first })
        return UnifiedDiff(from: old.linesOfText.map { known[$0] ?? hideValue(of: $0) }, to: masked)
    }

    /// What the old file had in a line that is to go may be a secret too: only the word before `:` or `=` is shown.
    private static func hideValue(of line: String) -> String {
        guard let separator = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else {
            return line.allSatisfy { $0 == " " } ? line : "‹hidden›"
        }
        return line[...separator] + (line.index(after: separator) == line.endIndex ? "" : " ‹hidden›")
    }
}
