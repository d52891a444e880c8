import Diagnostics

/// Builds the tree of a template from its pieces; goes on after a fault, so that all are found.
struct TemplateParser {
    private var pieces: ArraySlice<Piece>
    private(set) var diagnostics: Diagnostics

    init(_ pieces: [Piece], diagnostics: Diagnostics) {
        self.pieces = pieces[...]
        self.diagnostics = diagnostics
    }

    mutating func parse() -> [Node] {
        var nodes: [Node] = []
        while true {
            let (body, end) = parseBody()
            nodes += body
            guard let end else { return nodes }
            diagnostics.report("'{% \(end.word) %}' belongs to nothing that is open", at: end.location)
        }
    }

    /// A tag that ends or divides a block.
    private struct End {
        var word: String
        var location: SourceLocation
        var expression: ExpressionParser
    }

    /// Nodes up to the next tag that ends or divides a block.
    private mutating func parseBody() -> (body: [Node], end: End?) {
        var nodes: [Node] = []
        while let piece = pieces.popFirst() {
            switch piece.kind {
            case .comment: break
            case .text(let text):
                if !text.isEmpty { nodes.append(.text(text)) }
            case .output(let tokens):
                var parser = ExpressionParser(tokens, at: piece.location)
                if let expression = expression(&parser) { nodes.append(.output(expression)) }
            case .tag(let tokens):
                guard case .name(let word) = tokens.first?.kind else {
                    diagnostics.report("expected 'for', 'if' or what ends them", at: piece.location)
                    continue
                }
                let parser = ExpressionParser(Array(tokens.dropFirst()), at: piece.location)
                switch word {
                case "for": nodes.append(contentsOf: parseLoop(parser, at: piece.location))
                case "if": nodes.append(contentsOf: parseCondition(parser, at: piece.location))
                case "elif", "else", "endif", "endfor":
                    return (nodes, End(word: word, location: piece.location, expression: parser))
                default:
                    let words = ["for", "endfor", "if", "elif", "else", "endif"]
                    diagnostics.report(
                        "unknown tag '\(word)'", at: tokens[0].location,
                        remedy: Suggestion.remedy(for: word, among: words)
                            ?? "the tags are \(words.joined(separator: ", "))")
                }
            }
        }
        return (nodes, nil)
    }

    /// The expression up to the end of its markup, or nil when a fault in it was reported.
    private mutating func expression(_ parser: inout ExpressionParser) -> Expression? {
        do {
            return try parser.parseToEnd()
        } catch {
            diagnostics.report(error)
            return nil
        }
    }

    private mutating func parseLoop(_ tag: ExpressionParser, at start: SourceLocation) -> [Node] {
        var tag = tag
        var variable: (name: String, location: SourceLocation)?
        var list: Expression?
        do {
            variable = try tag.expectName("the name of an element")
            try tag.expect(.name("in"))
            list = try tag.parseToEnd()
        } catch {
            diagnostics.report(error)
        }
        let body = parseBranch(of: "for", endedBy: ["endfor"], at: start).body
        guard let variable, let list else { return [] }
        return [.loop(variable: variable.name, at: variable.location, over: list, body: body)]
    }

    private mutating func parseCondition(_ tag: ExpressionParser, at start: SourceLocation) -> [Node] {
        var branches: [(condition: Expression, body: [Node])] = []
        var tag = tag
        while true {
            let condition = expression(&tag)
            let (body, end) = parseBranch(of: "if", endedBy: ["elif", "else", "endif"], at: start)
            if let condition { branches.append((condition, body)) }
            guard let end, end.word == "elif" else {
                let hasElse = end?.word == "else"
                let otherwise = hasElse ? parseBranch(of: "if", endedBy: ["endif"], at: start).body : []
                return [.condition(branches: branches, otherwise: otherwise)]
            }
            tag = end.expression
        }
    }

    /// The nodes up to one of the `words`, which is returned; the others belong elsewhere and are reported.
    private mutating func parseBranch(
        of opener: String, endedBy words: [String], at start: SourceLocation
    ) -> (body: [Node], end: End?) {
        var nodes: [Node] = []
        while true {
            let (body, end) = parseBody()
            nodes += body
            guard let end else {
                diagnostics.report(
                    "'{% \(opener) %}' is never closed", at: start, remedy: "write '{% end\(opener) %}'")
                return (nodes, nil)
            }
            if words.contains(end.word) {
                if end.word != "elif" { reportMore(in: end) }
                return (nodes, end)
            }
            diagnostics.report(
                "found '{% \(end.word) %}' in the '{% \(opener) %}' of line \(start.line)", at: end.location,
                remedy: "write '{% end\(opener) %}' first")
        }
    }

    private mutating func reportMore(in end: End) {
        do {
            try end.expression.expectEnd()
        } catch {
            diagnostics.report(error)
        }
    }
}
