import Engine
import Secrets

/// Whether a file loses a secret, so that what the journal keeps of it must go too.
enum RetiredSecret {
    /// - Parameters:
    ///   - old: the content so far.
    ///   - new: the content that replaces it.
    ///   - isPublic: whether everybody on the host may read the file, so that only what is known as a secret is one.
    /// - Returns: whether a line that goes may hold a secret: a secret of the new content was not there yet, so it may take the
    ///   place of another one; or the line looks like one with a secret.
    static func mayBe(in old: String, replacedBy new: MaskedText, isPublic: Bool) -> Bool {
        let staying = Set(new.reveal().linesOfText)
        let going = old.linesOfText.filter { !staying.contains($0) && !$0.allSatisfy(\.isWhitespace) }
        guard !going.isEmpty else { return false }
        let secrets = new.pieces.compactMap { if case .secret(let secret) = $0 { secret.reveal() } else { nil } }
        if secrets.contains(where: { !old.contains($0) }) { return true }
        return (!isPublic || !secrets.isEmpty) && going.contains(where: mayHoldSecret)
    }

    /// A line may hold one unless it is a comment, ends or begins a section, or sets something that is not called like one.
    private static func mayHoldSecret(_ line: String) -> Bool {
        let text = line.drop { $0 == " " || $0 == "\t" || $0 == "-" }
        if text.contains(#/(?i)pass|pwd|secret|token|credential|\bkey|key\b|SCRAM-|://[^\s/@]*:[^\s/@]*@/#) {
            return true
        }
        return text.prefixMatch(of: /[#;\[}\]]|[*A-Za-z0-9_.-]+([ \t:={(]|$)/) == nil
    }
}
