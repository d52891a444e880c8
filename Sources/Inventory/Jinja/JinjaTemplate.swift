import Diagnostics

/// A text with Jinja in it: `/srv/{{ name }}/data`.
struct JinjaTemplate: Sendable {
    /// An expression, and how it is written, for diagnostics.
    struct Quoted: Sendable {
        let expression: JinjaExpression
        let words: String
    }

    indirect enum Piece: Sendable {
        case text(String)
        case output(Quoted)
        /// `{% if %}`: the first part whose condition holds; one without a condition is `{% else %}`.
        case branches([(condition: Quoted?, body: [Piece])])
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

    /// - Throws: a `Diagnostic` for what is no template, or more than is evaluated here.
    init(_ text: String, at location: SourceLocation) throws(Diagnostic) {
        var reader = JinjaTemplateReader(text: text[...], location: location)
        pieces = try reader.pieces(until: []).pieces
    }
}

/// Reads the pieces of a template.
///
/// Ansible removes the line break after a statement (`trim_blocks`); `-` beside a mark removes all blanks there.
private struct JinjaTemplateReader {
    var text: Substring
    let location: SourceLocation
    /// Whether blanks before the next text are removed.
    private var trimsNext = false
    private var depth = 0

    init(text: Substring, location: SourceLocation) {
        self.text = text
        self.location = location
    }

    /// - Parameter ends: the statements that end it: `else`, `endif`.
    /// - Returns: the pieces, and the statement that came, with what stands behind it.
    mutating func pieces(
        until ends: [String]
    ) throws(Diagnostic) -> (pieces: [JinjaTemplate.Piece], end: String, rest: String) {
        depth += 1
        defer { depth -= 1 }
        guard depth < 20 else { throw Diagnostic("statements of Jinja are nested too deeply", at: location) }
        var pieces: [JinjaTemplate.Piece] = []
        while let mark = nextMark() {
            append(text[..<mark.start], to: &pieces, trimming: mark.trims)
            let words = try content(of: mark)
            switch mark.kind {
            case "{{": pieces.append(.output(try quoted(words, "{{ \(words) }}")))
            case "#": break
            default:
                let statement = words.prefix { !$0.isWhitespace }
                let rest = words.dropFirst(statement.count).trimmed
                if ends.contains(String(statement)) { return (pieces, String(statement), rest) }
                guard statement == "if" else {
                    throw Diagnostic(
                        "the Jinja statement '{% \(words.prefix(60)) %}' is not evaluated here", at: location,
                        remedy: "write the value itself; '{% if %}' and expressions in '{{ }}' are evaluated")
                }
                pieces.append(try branches(rest))
            }
        }
        append(text, to: &pieces, trimming: false)
        text = ""
        guard ends.isEmpty else {
            throw Diagnostic("a '{% if %}' is not closed", at: location, remedy: "write '{% endif %}' after it")
        }
        return (pieces, "", "")
    }

    private mutating func branches(_ first: String) throws(Diagnostic) -> JinjaTemplate.Piece {
        var condition: JinjaTemplate.Quoted? = try quoted(first, "{% if \(first) %}")
        var branches: [(condition: JinjaTemplate.Quoted?, body: [JinjaTemplate.Piece])] = []
        while true {
            let (body, end, rest) = try pieces(until: condition == nil ? ["endif"] : ["elif", "else", "endif"])
            branches.append((condition, body))
            if end == "endif" { return .branches(branches) }
            condition = end == "else" ? nil : try quoted(rest, "{% elif \(rest) %}")
        }
    }

    private func quoted(_ words: String, _ shown: String) throws(Diagnostic) -> JinjaTemplate.Quoted {
        do {
            return JinjaTemplate.Quoted(expression: try JinjaParser.parse(words), words: words)
        } catch {
            throw Diagnostic(
                "the Jinja expression '\(shown)' is not understood: \(error.message)", at: location,
                remedy: error.remedy)
        }
    }

    private struct Mark {
        /// `{{`, `%` or `#`.
        let kind: String
        let start: Substring.Index
        let trims: Bool
    }

    private func nextMark() -> Mark? {
        var index = text.startIndex
        while let brace = text[index...].firstIndex(of: "{") {
            let after = text.index(after: brace)
            let kind = text[after...].first
            if kind == "{" || kind == "%" || kind == "#" {
                return Mark(
                    kind: kind == "{" ? "{{" : kind.map { String($0) } ?? "", start: brace,
                    trims: text[after...].dropFirst().first == "-")
            }
            index = after
        }
        return nil
    }

    private mutating func append(
        _ found: Substring, to pieces: inout [JinjaTemplate.Piece], trimming: Bool
    ) {
        var found = found
        if trimsNext { found = found.drop(while: \.isWhitespace) }
        if trimming { while found.last?.isWhitespace ?? false { found.removeLast() } }
        trimsNext = false
        if !found.isEmpty { pieces.append(.text(String(found))) }
    }

    /// What stands between a mark and its end, in single blanks; goes on behind it.
    private mutating func content(of mark: Mark) throws(Diagnostic) -> String {
        let end = mark.kind == "{{" ? "}}" : mark.kind + "}"
        var rest = text[text.index(mark.start, offsetBy: 2)...]
        let start = rest.startIndex
        var quote: Character?
        // The braces of mappings that are still open.
        var depth = 0
        while let character = rest.first {
            if quote == nil, mark.kind == "{{", character == "{" { depth += 1 }
            if quote == nil, depth > 0, character == "}" {
                depth -= 1
                rest.removeFirst()
                continue
            }
            if quote == nil, rest.hasPrefix(end) {
                var inside = text[start..<rest.startIndex]
                text = rest.dropFirst(2)
                if inside.first == "-" || inside.first == "+" { inside.removeFirst() }
                if inside.last == "-" {
                    inside.removeLast()
                    trimsNext = true
                } else if mark.kind != "{{", text.first == "\n" {
                    text.removeFirst()
                }
                return inside.trimmed
            }
            if mark.kind != "#" {
                if character == quote {
                    quote = nil
                } else if quote == nil, character == "'" || character == "\"" {
                    quote = character
                }
            }
            if !rest.isEmpty { rest.removeFirst() }
        }
        let opening = mark.kind == "{{" ? "{{" : "{" + mark.kind
        throw Diagnostic(
            "a '\(opening)' is not closed", at: location, remedy: "write '\(end)' after the expression")
    }
}
