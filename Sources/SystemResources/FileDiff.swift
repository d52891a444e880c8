import Engine
import Secrets

/// The diff of a file that may hold secrets: neither the new ones nor the old ones are shown.
enum FileDiff {
    /// - Parameter isPublic: whether everybody on the host may read the file, so that it holds no secret.
    static func between(_ old: String, and new: MaskedText, isPublic: Bool) -> UnifiedDiff {
        guard new.hasSecrets || !isPublic else { return UnifiedDiff(from: old, to: new.reveal()) }
        let revealed = new.reveal().linesOfText
        let masked = new.description.linesOfText
        // Secrets have no line breaks, so both have the same lines; were it not so, nothing of the old is shown.
        guard revealed.count == masked.count else { return UnifiedDiff(from: [], to: masked) }
        let known = Dictionary(zip(revealed, masked), uniquingKeysWith: { first, _ in first })
        return UnifiedDiff(from: old.linesOfText.map { known[$0] ?? hideValue(of: $0) }, to: masked)
    }

    /// What the old file had in a line that is to go may be a secret too: only a word that is set to something is shown.
    private static func hideValue(of line: String) -> String {
        if line.allSatisfy(\.isWhitespace) { return line }
        guard let assignment = line.prefixMatch(of: /[ \t-]*[A-Za-z0-9_.]+[ \t]*[:=]/) else { return "‹hidden›" }
        return assignment.output + (assignment.endIndex == line.endIndex ? "" : " ‹hidden›")
    }
}
