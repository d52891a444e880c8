import Engine

/// What a host has to show itself by, and whom it trusts. Of a private key only the public part travels.
struct IdentityFiles: Fact {
    struct Answer: Hashable, Sendable {
        /// In PEM; nil when there is no such file.
        var certificate: String?
        /// The public key that belongs to the private one, in PEM; nil when there is none.
        var publicKey: String?
        /// The public key of a private one that is to replace the other, in PEM; nil when there is none.
        var nextPublicKey: String?
        /// The certificates of the authorities that are trusted, in PEM; nil when there is no such file.
        var trust: String?
        /// Whether these are for it alone: without a file of its own, etcd trusts the authority of the cluster.
        var isApart = true
    }

    let identity: HostIdentity

    private static let mark = "\u{1e}"

    /// The shell itself reads the files: a converged host starts as few programs as can be.
    static func script(for questions: [IdentityFiles]) -> ShellText {
        """
        show() { [ ! -f "$1" ] || while IFS= read -r line; do printf '%s\\n' "$line"; done <"$1"; }

        """
            + questions.map { question -> ShellText in
                let certificate = ShellText.quoting(question.identity.certificate)
                let key = ShellText.quoting(question.identity.key)
                let nextKey = ShellText.quoting(question.identity.nextKey)
                let authority = ShellText.quoting(question.identity.authority)
                return """
                    printf '\(inSingleQuotes: mark)'; show \(certificate)
                    printf '\(inSingleQuotes: mark)'; [ ! -f \(key) ] || openssl pkey -in \(key) -passin pass: -pubout 2>/dev/null
                    printf '\(inSingleQuotes: mark)'; [ ! -f \(nextKey) ] || openssl pkey -in \(nextKey) -passin pass: -pubout 2>/dev/null
                    printf '\(inSingleQuotes: mark)'; show \(authority)
                    printf '\(inSingleQuotes: mark)'; [ -f \(authority) ] || show \(quoting: HostIdentity.authority)
                    """
            }.joined(separator: "\n") + "\n:"
    }

    static func answers(to questions: [IdentityFiles], from output: String) throws -> [IdentityFiles: Answer] {
        let parts = output.split(separator: mark, omittingEmptySubsequences: false).dropFirst().map {
            $0.isEmpty ? nil : String($0)
        }
        guard parts.count == 5 * questions.count else { throw UnreadableAnswer(IdentityFiles.self, output) }
        return Dictionary(
            uniqueKeysWithValues: questions.enumerated().map { index, question in
                let own = Array(parts[(5 * index)..<(5 * index + 5)])
                return (
                    question,
                    Answer(
                        certificate: own[0], publicKey: own[1], nextPublicKey: own[2], trust: own[3] ?? own[4],
                        isApart: own[3] != nil)
                )
            })
    }
}
