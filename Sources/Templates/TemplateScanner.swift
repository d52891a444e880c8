import Diagnostics

/// Cuts a template into text and markup, and markup into tokens.
struct TemplateScanner {
    private var rest: Substring
    private var location: SourceLocation
    private(set) var diagnostics = Diagnostics()

    init(_ text: String, file: String) {
        rest = text[...]
        location = SourceLocation(file: file, line: 1, column: 1)
    }

    mutating func scan() -> [Piece] {
        var pieces: [Piece] = []
        while !rest.isEmpty {
            if rest.hasPrefix("{{") || rest.hasPrefix("{%") {
                pieces.append(scanMarkup())
            } else if rest.hasPrefix("{#") {
                pieces.append(scanComment())
            } else {
                let start = location
                var text = ""
                repeat { text.append(advance()) } while !rest.isEmpty && !atMarkup
                pieces.append(Piece(kind: .text(text), location: start))
            }
        }
        return Whitespace.trimmed(pieces)
    }

    private var atMarkup: Bool {
        rest.first == "{" && (rest.hasPrefix("{{") || rest.hasPrefix("{%") || rest.hasPrefix("{#"))
    }

    @discardableResult
    private mutating func advance() -> Character {
        let character = rest.removeFirst()
        if character.isNewline {
            location.line += 1
            location.column = 1
        } else {
            location.column += 1
        }
        return character
    }

    private mutating func skip(_ word: String) -> Bool {
        guard rest.hasPrefix(word) else { return false }
        for _ in word { advance() }
        return true
    }

    private mutating func scanComment() -> Piece {
        var piece = Piece(kind: .comment, location: location)
        _ = skip("{#")
        piece.trimsBefore = skip("-")
        while !rest.isEmpty {
            piece.trimsAfter = rest.hasPrefix("-#}")
            if skip("-#}") || skip("#}") { return piece }
            advance()
        }
        diagnostics.report("'{#' is never closed", at: piece.location, remedy: "write '#}' after the comment")
        return piece
    }

    private mutating func scanMarkup() -> Piece {
        let isTag = rest.hasPrefix("{%")
        let opening = isTag ? "{%" : "{{"
        let closing = isTag ? "%}" : "}}"
        var piece = Piece(kind: .comment, location: location)
        _ = skip(opening)
        piece.trimsBefore = skip("-")
        var tokens: [Token] = []
        while true {
            while let next = rest.first, next.isWhitespace { advance() }
            piece.trimsAfter = rest.hasPrefix("-" + closing)
            if skip("-" + closing) || skip(closing) { break }
            let end = location
            if skip(isTag ? "}}" : "%}") {
                diagnostics.report("'\(opening)' is closed wrongly", at: end, remedy: "write '\(closing)'")
                break
            }
            guard !rest.isEmpty, !atMarkup else {
                diagnostics.report("'\(opening)' is never closed", at: piece.location, remedy: "write '\(closing)'")
                break
            }
            do {
                tokens.append(Token(kind: try scanToken(), location: end))
            } catch {
                diagnostics.report(error)
                tokens.append(Token(kind: .fault(error), location: end))
            }
        }
        piece.kind = isTag ? .tag(tokens) : .output(tokens)
        return piece
    }

    private static let symbols = ["==", "!=", "<=", ">=", "<", ">", "(", ")", "|", ".", ","]

    private mutating func scanToken() throws(Diagnostic) -> Token.Kind {
        let start = location
        if let quote = rest.first, quote == "'" || quote == "\"" { return .text(try scanText(quote)) }
        let word = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        if let first = word.first, skip(word) {
            if let number = Int(word) { return .integer(number) }
            if !first.isNumber { return .name(word) }
            throw Diagnostic("'\(word)' is neither a name nor a whole number", at: start)
        }
        for symbol in Self.symbols where skip(symbol) { return .symbol(symbol) }
        throw Diagnostic("unexpected '\(advance())'", at: start)
    }

    private mutating func scanText(_ quote: Character) throws(Diagnostic) -> String {
        let start = location
        advance()
        var text = ""
        while let next = rest.first, !next.isNewline {
            advance()
            if next == quote { return text }
            guard next == "\\", !rest.isEmpty else {
                text.append(next)
                continue
            }
            let escape = location
            switch advance() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case let mark where ["\\", "'", "\""].contains(mark): text.append(mark)
            case let mark:
                diagnostics.report(
                    "unknown escape '\\\(mark)'", at: escape, remedy: #"write one of \n, \t, \\, \' and \""#)
            }
        }
        throw Diagnostic("the string is never closed", at: start, remedy: "write \(quote) after it")
    }
}
