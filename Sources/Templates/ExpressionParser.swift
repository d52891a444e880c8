import Diagnostics

/// Parses the tokens of one piece of markup.
struct ExpressionParser {
    private var tokens: ArraySlice<Token>
    /// Where the markup begins, for what is missing at its end.
    private let start: SourceLocation
    /// The first thing in the markup that is no word: what is around it would only be misread.
    private let fault: Diagnostic?

    init(_ tokens: [Token], at start: SourceLocation) {
        self.tokens = tokens[...]
        self.start = start
        fault = tokens.lazy.compactMap { if case .fault(let diagnostic) = $0.kind { diagnostic } else { nil } }.first
    }

    /// Parses an expression that reaches to the end of the markup.
    mutating func parseToEnd() throws(Diagnostic) -> Expression {
        if let fault { throw fault }
        let expression = try parse()
        try expectEnd()
        return expression
    }

    func expectEnd() throws(Diagnostic) {
        if let fault { throw fault }
        if let token = tokens.first { throw Diagnostic("unexpected \(token.description)", at: token.location) }
    }

    mutating func accept(_ kind: Token.Kind) -> SourceLocation? {
        guard tokens.first?.kind == kind else { return nil }
        return tokens.removeFirst().location
    }

    mutating func expect(_ kind: Token.Kind) throws(Diagnostic) {
        guard accept(kind) == nil else { return }
        let wanted = Token(kind: kind, location: start).description
        guard let found = tokens.first else { throw Diagnostic("expected \(wanted) at the end", at: start) }
        throw Diagnostic("expected \(wanted), found \(found.description)", at: found.location)
    }

    mutating func expectName(_ what: String) throws(Diagnostic) -> (name: String, location: SourceLocation) {
        if let fault { throw fault }
        guard let token = tokens.first else { throw Diagnostic("expected \(what) at the end", at: start) }
        guard case .name(let name) = token.kind, !Self.reserved.contains(name) else {
            throw Diagnostic("expected \(what), found \(token.description)", at: token.location)
        }
        tokens.removeFirst()
        return (name, token.location)
    }

    private static let reserved: Set = [
        "and", "or", "not", "in", "is", "if", "else", "none", "None", "true", "True", "false", "False",
    ]

    private mutating func parse() throws(Diagnostic) -> Expression {
        var left = try parseAnd()
        while accept(.name("or")) != nil {
            left = Expression(kind: .or(left, try parseAnd()), location: left.location)
        }
        return left
    }

    private mutating func parseAnd() throws(Diagnostic) -> Expression {
        var left = try parseNot()
        while accept(.name("and")) != nil {
            left = Expression(kind: .and(left, try parseNot()), location: left.location)
        }
        return left
    }

    private mutating func parseNot() throws(Diagnostic) -> Expression {
        guard let location = accept(.name("not")) else { return try parseComparison() }
        return Expression(kind: .not(try parseNot()), location: location)
    }

    private mutating func parseComparison() throws(Diagnostic) -> Expression {
        let left = try parsePostfix()
        if accept(.name("in")) != nil {
            return Expression(kind: .contains(list: try parsePostfix(), element: left), location: left.location)
        }
        if accept(.name("not")) != nil {
            try expect(.name("in"))
            let contains = Expression(
                kind: .contains(list: try parsePostfix(), element: left), location: left.location)
            return Expression(kind: .not(contains), location: left.location)
        }
        guard case .symbol(let symbol) = tokens.first?.kind, let comparison = Comparison(rawValue: symbol) else {
            return left
        }
        tokens.removeFirst()
        return Expression(kind: .comparison(comparison, left, try parsePostfix()), location: left.location)
    }

    /// Attributes, filters and tests bind more tightly than comparisons, as in Jinja.
    private mutating func parsePostfix() throws(Diagnostic) -> Expression {
        var expression = try parsePrimary()
        while true {
            if accept(.symbol(".")) != nil {
                let (name, location) = try expectName("a name after '.'")
                expression = Expression(kind: .attribute(of: expression, name), location: location)
            } else if accept(.symbol("|")) != nil {
                expression = Expression(kind: .filtered(expression, try parseFilter()), location: expression.location)
            } else if accept(.name("is")) != nil {
                expression = try parseTest(of: expression)
            } else {
                return expression
            }
        }
    }

    private mutating func parseTest(of expression: Expression) throws(Diagnostic) -> Expression {
        let isNegated = accept(.name("not")) != nil
        guard accept(.name("none")) != nil else {
            throw Diagnostic(
                "unknown test after 'is'", at: tokens.first?.location ?? start,
                remedy: "write 'is none' or 'is not none'; every name is defined")
        }
        let test = Expression(kind: .isNone(expression), location: expression.location)
        return isNegated ? Expression(kind: .not(test), location: expression.location) : test
    }

    private mutating func parsePrimary() throws(Diagnostic) -> Expression {
        guard let token = tokens.first else { throw Diagnostic("expected an expression", at: start) }
        if accept(.symbol("(")) != nil {
            let expression = try parse()
            try expect(.symbol(")"))
            return expression
        }
        switch token.kind {
        case .text(let text):
            tokens.removeFirst()
            return Expression(kind: .text(text), location: token.location)
        case .integer(let number):
            tokens.removeFirst()
            return Expression(kind: .integer(number), location: token.location)
        case .name("true"), .name("True"), .name("false"), .name("False"):
            tokens.removeFirst()
            let isTrue = token.kind == .name("true") || token.kind == .name("True")
            return Expression(kind: .boolean(isTrue), location: token.location)
        case .name("none"), .name("None"):
            throw Diagnostic("'none' is no value to compare with", at: token.location, remedy: "write 'x is none'")
        case .name, .symbol, .fault:
            let (name, location) = try expectName("a value")
            return Expression(kind: .name(name), location: location)
        }
    }

    private mutating func parseFilter() throws(Diagnostic) -> Filter {
        let (name, location) = try expectName("a filter after '|'")
        switch name {
        case "upper": return .upper
        case "lower": return .lower
        case "length": return .length
        case "quote": return .quote
        case "line": return .line
        case "join":
            guard case .text(let separator) = try parseArgument() else {
                throw Diagnostic("'join' needs a string", at: location, remedy: "write join(',')")
            }
            return .join(separator: separator)
        case "indent":
            guard case .integer(let width) = try parseArgument() else {
                throw Diagnostic("'indent' needs a number of blanks", at: location, remedy: "write indent(4)")
            }
            return .indent(width)
        default:
            throw Diagnostic(
                "unknown filter '\(name)'", at: location,
                remedy: Suggestion.remedy(for: name, among: Filter.names)
                    ?? "the filters are \(Filter.names.joined(separator: ", "))")
        }
    }

    /// The literal between the parentheses behind a filter, or nil when there is none.
    private mutating func parseArgument() throws(Diagnostic) -> Token.Kind? {
        guard accept(.symbol("(")) != nil else { return nil }
        let argument = tokens.popFirst()?.kind
        try expect(.symbol(")"))
        return argument
    }
}
