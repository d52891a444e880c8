/// Reads a Jinja expression; each method reads what binds tighter than the one before it.
///
/// Source: Jinja 3.1, parser.py.
struct JinjaParser {
    private var tokens: ArraySlice<JinjaToken>
    /// Bounds the recursion here and in what evaluates.
    private static let greatestDepth = 100
    private var depth = 0

    /// - Throws: `JinjaFault` for what is no expression.
    static func parse(_ text: String) throws(JinjaFault) -> JinjaExpression {
        var parser = JinjaParser(tokens: try JinjaLexer.tokens(of: text)[...])
        guard !parser.tokens.isEmpty else { throw JinjaFault("there is no expression") }
        let expression = try parser.choice()
        if let token = parser.tokens.first { throw JinjaFault("\(token.shown) is not expected there") }
        return expression
    }

    private init(tokens: ArraySlice<JinjaToken>) { self.tokens = tokens }

    private mutating func takes(_ token: JinjaToken) -> Bool {
        guard tokens.first == token else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func takes(sign: String) -> Bool { takes(.sign(sign)) }

    private mutating func require(_ sign: String) throws(JinjaFault) {
        guard takes(sign: sign) else {
            throw JinjaFault("'\(sign)' is missing before \(tokens.first?.shown ?? "the end")")
        }
    }

    private mutating func choice() throws(JinjaFault) -> JinjaExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.greatestDepth else { throw JinjaFault("it is nested too deeply") }
        var result = try disjunction()
        while takes(.name("if")) {
            let condition = try disjunction()
            let otherwise = takes(.name("else")) ? try choice() : nil
            result = .choice(condition, then: result, otherwise: otherwise)
        }
        return result
    }

    private mutating func disjunction() throws(JinjaFault) -> JinjaExpression {
        var left = try conjunction()
        while takes(.name("or")) { left = .binary(.or, left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(JinjaFault) -> JinjaExpression {
        var left = try negation()
        while takes(.name("and")) { left = .binary(.and, left, try negation()) }
        return left
    }

    private mutating func negation() throws(JinjaFault) -> JinjaExpression {
        guard takes(.name("not")) else { return try comparison() }
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.greatestDepth else { throw JinjaFault("it is nested too deeply") }
        return .not(try negation())
    }

    /// `a < b < c` means `a < b and b < c`.
    private mutating func comparison() throws(JinjaFault) -> JinjaExpression {
        var left = try sum()
        var result: JinjaExpression?
        while let (sign, isNegated) = comparisonSign() {
            let right = try sum()
            let part = JinjaExpression.binary(sign, left, right)
            let next = isNegated ? JinjaExpression.not(part) : part
            result = result.map { .binary(.and, $0, next) } ?? next
            left = right
        }
        return result ?? left
    }

    private mutating func comparisonSign() -> (JinjaOperator, isNegated: Bool)? {
        if takes(.name("in")) { return (.contained, false) }
        if tokens.first == .name("not"), tokens.dropFirst().first == .name("in") {
            tokens.removeFirst(2)
            return (.contained, true)
        }
        for sign in ["==", "!=", "<=", ">=", "<", ">"] where takes(sign: sign) {
            return JinjaOperator(rawValue: sign).map { ($0, false) }
        }
        return nil
    }

    private mutating func sum() throws(JinjaFault) -> JinjaExpression {
        var left = try concatenation()
        while let sign = sign(of: ["+", "-"]) { left = .binary(sign, left, try concatenation()) }
        return left
    }

    private mutating func concatenation() throws(JinjaFault) -> JinjaExpression {
        var left = try product()
        while takes(sign: "~") { left = .binary(.joined, left, try product()) }
        return left
    }

    private mutating func product() throws(JinjaFault) -> JinjaExpression {
        var left = try power()
        while let sign = sign(of: ["*", "/", "//", "%"]) { left = .binary(sign, left, try power()) }
        return left
    }

    private mutating func power() throws(JinjaFault) -> JinjaExpression {
        var left = try unary()
        while takes(sign: "**") { left = .binary(.power, left, try unary()) }
        return left
    }

    private mutating func sign(of signs: [String]) -> JinjaOperator? {
        signs.first { takes(sign: $0) }.flatMap(JinjaOperator.init)
    }

    private mutating func unary(withFilters: Bool = true) throws(JinjaFault) -> JinjaExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.greatestDepth else { throw JinjaFault("it is nested too deeply") }
        let isNegative = takes(sign: "-")
        var result: JinjaExpression
        if isNegative || takes(sign: "+") {
            result = try unary(withFilters: false)
            if isNegative { result = .negative(result) }
        } else {
            result = try primary()
        }
        result = try postfix(result)
        return withFilters ? try filters(result) : result
    }

    private mutating func primary() throws(JinjaFault) -> JinjaExpression {
        guard let token = tokens.popFirst() else { throw JinjaFault("something is missing at its end") }
        switch token {
        case .name("true"), .name("True"): return .literal(.bool(true))
        case .name("false"), .name("False"): return .literal(.bool(false))
        case .name("none"), .name("None"): return .literal(.none)
        case .name(let name):
            guard takes(sign: "(") else { return .name(name) }
            return .call(name, try arguments())
        case .string(var text):
            while case .string(let more)? = tokens.first {
                tokens.removeFirst()
                text += more
            }
            return .literal(.string(text))
        case .int(let number): return .literal(.int(number))
        case .double(let number): return .literal(.double(number))
        case .sign("("):
            if takes(sign: ")") { return .list([]) }
            let first = try choice()
            guard takes(sign: ",") else {
                try require(")")
                return first
            }
            return .list([first] + (try elements(until: ")")))
        case .sign("["): return .list(try elements(until: "]"))
        case .sign("{"): return .map(try entries())
        case .sign: throw JinjaFault("\(token.shown) is not expected there")
        }
    }

    private mutating func elements(until end: String) throws(JinjaFault) -> [JinjaExpression] {
        var elements: [JinjaExpression] = []
        while !takes(sign: end) {
            elements.append(try choice())
            if !takes(sign: ",") {
                try require(end)
                break
            }
        }
        return elements
    }

    private mutating func entries() throws(JinjaFault) -> [(key: JinjaExpression, value: JinjaExpression)] {
        var entries: [(key: JinjaExpression, value: JinjaExpression)] = []
        while !takes(sign: "}") {
            let key = try choice()
            try require(":")
            entries.append((key, try choice()))
            if !takes(sign: ",") {
                try require("}")
                break
            }
        }
        return entries
    }

    private mutating func postfix(_ base: JinjaExpression) throws(JinjaFault) -> JinjaExpression {
        var result = base
        while true {
            if takes(sign: ".") {
                switch tokens.popFirst() {
                case .name(let name):
                    result =
                        takes(sign: "(")
                        ? .method(name, of: result, try arguments())
                        : .element(.literal(.string(name)), of: result)
                case .int(let number): result = .element(.literal(.int(number)), of: result)
                default: throw JinjaFault("a name is missing after '.'")
                }
            } else if takes(sign: "[") {
                result = try subscripted(result)
            } else {
                return result
            }
        }
    }

    private mutating func subscripted(_ base: JinjaExpression) throws(JinjaFault) -> JinjaExpression {
        let from = tokens.first == .sign(":") ? nil : try choice()
        guard takes(sign: ":") else {
            try require("]")
            return .element(from ?? .literal(.none), of: base)
        }
        let to = tokens.first == .sign("]") ? nil : try choice()
        try require("]")
        return .slice(from: from, to: to, of: base)
    }

    /// `| name(…)` and `is name(…)`, which both bind to what stands before them.
    private mutating func filters(_ base: JinjaExpression) throws(JinjaFault) -> JinjaExpression {
        var result = base
        while true {
            if takes(sign: "|") {
                let name = try dottedName("a filter")
                result = .filter(name, of: result, takes(sign: "(") ? try arguments() : JinjaArguments())
            } else if takes(.name("is")) {
                let isNegated = takes(.name("not"))
                let name = try dottedName("a test")
                let test = JinjaExpression.test(name, of: result, try testArguments())
                result = isNegated ? .not(test) : test
            } else {
                return result
            }
        }
    }

    /// The name of a filter or test; those of Ansible may have their collection before them.
    private mutating func dottedName(_ what: String) throws(JinjaFault) -> String {
        guard case .name(var name)? = tokens.popFirst() else { throw JinjaFault("the name of \(what) is missing") }
        while takes(sign: ".") {
            guard case .name(let more)? = tokens.popFirst() else {
                throw JinjaFault("the name of \(what) is missing")
            }
            name += "." + more
        }
        return name.hasPrefix("ansible.builtin.") ? String(name.dropFirst("ansible.builtin.".count)) : name
    }

    /// In parentheses, or one value without them: `is version '2.17'`.
    private mutating func testArguments() throws(JinjaFault) -> JinjaArguments {
        if takes(sign: "(") { return try arguments() }
        switch tokens.first {
        case .name("else"), .name("or"), .name("and"), .name("if"), .name("is"), .name("in"), .name("not"): break
        case .name, .string, .int, .double, .sign("["), .sign("{"):
            return JinjaArguments(positional: [try postfix(try primary())])
        default: break
        }
        return JinjaArguments()
    }

    private mutating func arguments() throws(JinjaFault) -> JinjaArguments {
        var arguments = JinjaArguments()
        while !takes(sign: ")") {
            let value = try choice()
            if case .name(let name) = value, takes(sign: "=") {
                arguments.named.append((name, try choice()))
            } else {
                arguments.positional.append(value)
            }
            if !takes(sign: ",") {
                try require(")")
                break
            }
        }
        return arguments
    }
}

extension JinjaToken {
    fileprivate var shown: String {
        switch self {
        case .name(let name): "'\(name)'"
        case .string(let text): "the text '\(text)'"
        case .int(let number): "'\(number)'"
        case .double(let number): "'\(number)'"
        case .sign(let sign): "'\(sign)'"
        }
    }
}
