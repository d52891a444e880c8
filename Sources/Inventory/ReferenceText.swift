import Diagnostics

/// A text with references to other variables in it: `/srv/{{ name }}/data`.
struct ReferenceText {
    enum Piece {
        case text(String)
        case reference(Reference, String)
    }

    let pieces: [Piece]

    /// Whether a text has anything of Jinja.
    static func isIn(_ text: String) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if before == UInt8(ascii: "{"), byte == before || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") {
                return true
            }
            before = byte
        }
        return false
    }

    /// - Throws: a `Diagnostic` for everything of Jinja but plain references.
    init(_ text: String, at location: SourceLocation) throws(Diagnostic) {
        var pieces: [Piece] = []
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            let after = rest[rest.index(after: brace)...]
            switch after.first {
            case "{":
                guard let end = after.dropFirst().range(ofText: "}}") else {
                    throw Diagnostic("a '{{' is not closed", at: location, remedy: "write '}}' after the expression")
                }
                if brace != rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
                pieces.append(try ReferenceText.piece(after.dropFirst()[..<end.lowerBound], at: location))
                rest = rest[end.upperBound...]
            case "%":
                throw Diagnostic(
                    "the Jinja statement '\(rest[brace...].prefix(60))' is not evaluated here", at: location,
                    remedy: ReferenceText.remedy)
            case "#":
                throw Diagnostic("a Jinja comment is not understood here", at: location, remedy: "write it after a '#'")
            default:
                pieces.append(.text(String(rest[...brace])))
                rest = after
            }
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    private static func piece(_ expression: Substring, at location: SourceLocation) throws(Diagnostic) -> Piece {
        let words = expression.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        do {
            return .reference(try Reference(String(expression)), words)
        } catch {
            let lookup = words.hasPrefix("lookup") || words.hasPrefix("query")
            throw Diagnostic(
                "the Jinja expression '{{ \(words) }}' is not evaluated here", at: location,
                remedy: lookup
                    ? "take a secret from outside by '!env NAME', '!file PATH' or '!command ARGV'"
                    : ReferenceText.remedy)
        }
    }

    private static let remedy =
        "write the value itself, or refer to another variable by '{{ name }}' or \"{{ hostvars['host']['name'] }}\""
}

extension Substring {
    /// Where a text stands first.
    fileprivate func range(ofText text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}
