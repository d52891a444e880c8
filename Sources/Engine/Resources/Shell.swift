public import Secrets

/// The language of POSIX `sh`.
public enum Shell {
    /// `word` as one word of a shell command, whatever characters it has.
    fileprivate static func quote(_ word: String) -> String {
        let harmless = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-:@%+,".utf8.contains(byte)
            }
        }
        return harmless && !word.isEmpty ? word : "'\(escapeSingleQuotes(word))'"
    }

    /// `text` as it is written between single quotes.
    fileprivate static func escapeSingleQuotes(_ text: String) -> String {
        // By bytes: a quote with an accent upon it is another character, but still a quote to the shell.
        text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#)
    }

    /// A word that ends a here-document with this text: `word`, or something longer when a line of the text is that.
    fileprivate static func hereDocumentEnd(_ word: String, after text: String) -> String {
        let lines = Set(text.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
        var word = word
        while lines.contains(word) { word += "_" }
        return word
    }

    /// `text` as it is written between double quotes, so that it is not expanded.
    fileprivate static func escapeDoubleQuotes(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            escaped += "\\\"$`".unicodeScalars.contains(scalar) ? ["\\", scalar] : [scalar]
        }
        return String(escaped)
    }
}

/// Shell text (POSIX `sh`): what a host runs.
///
///     "keep \(quoting: path)\nas_holder \(quoting: path) rm -f -- \(quoting: path)"
///     "useradd \(words: options) -- \(quoting: user)"
///     "echo \"the journal of \(inDoubleQuotes: unit):\""
///
/// What is quoted is one word by itself, or the part of a word that has no other quotes around it: `"$folder"/\(quoting: name)`.
/// A word that begins with a hyphen is an option all the same, unless `--` stands before it.
public typealias ShellText = CheckedText<Shell>

extension CheckedText<Shell> {
    /// A text as one word.
    public static func quoting(_ word: String) -> ShellText { "\(quoting: word)" }

    /// The words of a command, each quoted.
    public static func words(_ words: some Sequence<String>) -> ShellText { "\(words: words)" }

    /// Defines `say LINE…`: what a step has found out for the person, who reads it also when the step ends well.
    public static var say: ShellText {
        "say() { printf '\(trusted: StepProgress.word, because: "it is written in the source")%s\\n' \"$@\"; }"
    }
}

extension CheckedText<Shell>.StringInterpolation {
    /// A text as one word.
    public mutating func appendInterpolation(quoting word: String) { append(Shell.quote(word)) }

    /// A secret as one word.
    public mutating func appendInterpolation(quoting secret: Secret) { append(Secret(Shell.quote(secret.reveal()))) }

    /// A text with secrets as one word.
    public mutating func appendInterpolation(quoting text: MaskedText) {
        guard text.hasSecrets else { return append(Shell.quote(text.reveal())) }
        // Quoted words that touch each other are one word.
        for piece in text.pieces {
            switch piece {
            case .plain(let plain): append(Shell.quote(plain))
            case .secret(let secret): append(Secret(Shell.quote(secret.reveal())))
            }
        }
    }

    /// A text of whatever language as one word: what `sh -c` or `eval` is given.
    public mutating func appendInterpolation<Other>(quoting text: CheckedText<Other>) {
        appendInterpolation(quoting: text.masked)
    }

    /// The words of a command, each quoted.
    public mutating func appendInterpolation(words: some Sequence<String>) {
        append(words.map(Shell.quote).joined(separator: " "))
    }

    /// A text between double quotes, which nothing in it ends and in which nothing is expanded.
    public mutating func appendInterpolation(inDoubleQuotes text: String) { append(Shell.escapeDoubleQuotes(text)) }

    /// A text of whatever language between double quotes.
    public mutating func appendInterpolation<Other>(inDoubleQuotes text: CheckedText<Other>) {
        for piece in text.masked.pieces {
            switch piece {
            case .plain(let plain): append(Shell.escapeDoubleQuotes(plain))
            case .secret(let secret): append(Secret(Shell.escapeDoubleQuotes(secret.reveal())))
            }
        }
    }

    /// A text between single quotes, which nothing in it ends.
    public mutating func appendInterpolation(inSingleQuotes text: String) {
        append(Shell.escapeSingleQuotes(text))
    }

    /// A here-document that gives the text as it is, with a line break after it. No line of the text ends it.
    ///
    /// - Parameter word: what ends it, as long as no line of the text is that.
    public mutating func appendInterpolation(hereDocument text: MaskedText, _ word: StaticString) {
        let end = Shell.hereDocumentEnd(word.description, after: text.reveal())
        append("<<'\(end)'\n")
        append(text)
        append("\n\(end)")
    }

    public mutating func appendInterpolation<Other>(hereDocument text: CheckedText<Other>, _ word: StaticString) {
        appendInterpolation(hereDocument: text.masked, word)
    }
}
