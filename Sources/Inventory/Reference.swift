import Diagnostics

/// A plain reference to another variable, as it stands between `{{` and `}}`: `name`, `ports.http`, `list[0]`,
/// `hostvars[groups['master'][0]]['ansible_host']`.
indirect enum Reference {
    case name(String)
    case text(String)
    case number(Int)
    /// A name or number of what the first one stands for.
    case element(Reference, of: Reference)

    /// Bounds the recursion here and in what resolves.
    private static let greatestDepth = 20

    /// - Throws: ``NoReference`` for any other expression.
    init(_ expression: String) throws(NoReference) {
        var rest = Substring(expression)
        let reference = try Reference.read(&rest, depth: 0)
        guard rest.isEmpty else { throw NoReference() }
        switch reference {
        case .name, .element: self = reference
        case .text, .number: throw NoReference()
        }
    }

    /// Anything that Jinja has beyond plain references: filters, operators, calls.
    struct NoReference: Error {}

    private static func read(_ rest: inout Substring, depth: Int) throws(NoReference) -> Reference {
        guard depth < greatestDepth else { throw NoReference() }
        skipBlanks(&rest)
        guard let first = rest.first else { throw NoReference() }
        if first == "'" || first == "\"" {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: first) else { throw NoReference() }
            let text = String(rest[..<end])
            guard !text.contains("\\") else { throw NoReference() }
            rest = rest[rest.index(after: end)...]
            skipBlanks(&rest)
            return .text(text)
        }
        if first.isASCII, first.isNumber || first == "-" {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
            guard let number = Int(digits) else { throw NoReference() }
            rest = rest.dropFirst(digits.count)
            skipBlanks(&rest)
            return .number(number)
        }
        var reference = Reference.name(try word(&rest))
        var count = 0
        while let mark = rest.first, mark == "." || mark == "[" {
            count += 1
            guard count < greatestDepth else { throw NoReference() }
            rest.removeFirst()
            if mark == "." {
                reference = .element(.text(try word(&rest)), of: reference)
            } else {
                reference = .element(try read(&rest, depth: depth + 1), of: reference)
                guard rest.first == "]" else { throw NoReference() }
                rest.removeFirst()
                skipBlanks(&rest)
            }
        }
        return reference
    }

    private static func word(_ rest: inout Substring) throws(NoReference) -> String {
        let word = String(rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        guard Name.isVariable(word), !["not", "true", "false", "none", "True", "False", "None"].contains(word) else {
            throw NoReference()
        }
        rest = rest.dropFirst(word.count)
        skipBlanks(&rest)
        return word
    }

    private static func skipBlanks(_ rest: inout Substring) { rest = rest.drop(while: \.isWhitespace) }
}
