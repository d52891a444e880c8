import Drover
import Secrets

extension MaskedText {
    /// The text as one word of a shell command, its secrets still masked.
    var quoted: MaskedText {
        guard hasSecrets else { return MaskedText(Shell.quote(reveal())) }
        var word = MaskedText()
        // Quoted words that touch each other are one word.
        for piece in pieces {
            switch piece {
            case .plain(let text): word.append(Shell.quote(text))
            case .secret(let secret): word.append(Secret(Shell.quote(secret.reveal())))
            }
        }
        return word
    }
}
