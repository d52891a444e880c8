/// A word of a Jinja expression.
enum JinjaToken: Equatable {
    case name(String)
    case string(String)
    case int(Int)
    case double(Double)
    case sign(String)
}

/// Splits a Jinja expression into words.
struct JinjaLexer {
    private static let signs = ["**", "//", "==", "!=", "<=", ">="]
    private static let single = "+-*/%~<>=|.,:()[]{}"

    /// - Throws: `JinjaFault` for a character that begins no word.
    static func tokens(of text: String) throws(JinjaFault) -> [JinjaToken] {
        var tokens: [JinjaToken] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "'" || first == "\"" {
                tokens.append(.string(try string(&rest)))
            } else if first.isASCII, first.isNumber {
                tokens.append(try number(&rest))
            } else if first.isLetter || first == "_" {
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                rest = rest[name.endIndex...]
                tokens.append(.name(String(name)))
            } else if let sign = signs.first(where: rest.hasPrefix) {
                rest.removeFirst(sign.count)
                tokens.append(.sign(sign))
            } else if single.contains(first) {
                rest.removeFirst()
                tokens.append(.sign(String(first)))
            } else {
                throw JinjaFault("'\(first)' begins nothing")
            }
        }
        return tokens
    }

    /// A backslash stands for itself: Ansible has expressions read so, for the sake of regular expressions.
    private static func string(_ rest: inout Substring) throws(JinjaFault) -> String {
        let quote = rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            text.append(character)
        }
        throw JinjaFault("a text is not closed", remedy: "end it with \(quote)")
    }

    private static func number(_ rest: inout Substring) throws(JinjaFault) -> JinjaToken {
        var digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "_") }
        rest = rest[digits.endIndex...]
        if rest.first == ".", rest.dropFirst().first.map({ $0.isASCII && $0.isNumber }) ?? false {
            let fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            rest = rest[fraction.endIndex...]
            digits += "." + fraction
        }
        if let exponent = rest.prefixMatch(of: /[eE][+-]?[0-9]+/) {
            digits += exponent.output
            rest = rest[exponent.range.upperBound...]
        }
        let text = digits.filter { $0 != "_" }
        if let int = Int(text), !text.contains(".") { return .int(int) }
        guard let double = Double(text) else { throw JinjaFault("'\(text)' is no number") }
        return .double(double)
    }
}
