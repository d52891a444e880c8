import Diagnostics

/// A word of the markup.
struct Token {
    enum Kind: Hashable {
        case name(String)
        case text(String)
        case integer(Int)
        case symbol(String)
        /// What is no word, with what is wrong with it.
        case fault(Diagnostic)
    }

    var kind: Kind
    var location: SourceLocation

    /// The token as it was written, for a diagnostic.
    var description: String {
        switch kind {
        case .name(let word), .symbol(let word): "'\(word)'"
        case .text: "a string"
        case .fault(let diagnostic): diagnostic.message
        case .integer(let number): "'\(number)'"
        }
    }
}

/// A stretch of a template: text as it is, or one piece of markup.
struct Piece {
    enum Kind {
        case text(String)
        case output([Token])
        case tag([Token])
        case comment
    }

    var kind: Kind
    var location: SourceLocation
    /// Whether `{%-` asks that white space before the piece goes.
    var trimsBefore = false
    /// Whether `-%}` asks that white space after the piece goes.
    var trimsAfter = false

    /// The text, when this is text.
    var text: String? {
        get { if case .text(let text) = kind { text } else { nil } }
        set { if let newValue { kind = .text(newValue) } }
    }

    /// Whether this can stand alone on a line that leaves nothing.
    var isBlock: Bool {
        switch kind {
        case .tag, .comment: true
        case .text, .output: false
        }
    }
}
