/// A value as Python writes it: `22`, `'text'`, `[1, True]`, `{'a': None}`.
///
/// Source: Python's `ast.literal_eval`, by which Ansible's ini plugin reads values.
indirect enum PythonLiteral: Equatable {
    case none
    case bool(Bool)
    /// A number in a form that YAML has too.
    case number(String)
    case string(String)
    case list([PythonLiteral])
    case dictionary([(key: PythonLiteral, value: PythonLiteral)])

    static func == (left: PythonLiteral, right: PythonLiteral) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)), (.string(let a), .string(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }

    /// The value, or nil when the text is no literal: Ansible then takes the text itself.
    init?(_ text: String) {
        var reader = PythonLiteralReader(text)
        guard let value = reader.whole() else { return nil }
        self = value
    }
}

/// Reads a literal from its text.
private struct PythonLiteralReader {
    private var rest: Substring.UnicodeScalarView
    /// Bounds the recursion.
    private var depth = 0
    private static let greatestDepth = 50

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
    }

    /// The only value of the text. What has a comma is a tuple even without parentheses.
    mutating func whole() -> PythonLiteral? {
        guard let first = value() else { return nil }
        skipBlanks()
        guard rest.first == "," else { return rest.isEmpty ? first : nil }
        rest.removeFirst()
        guard let others = values(until: nil) else { return nil }
        return .list([first] + others)
    }

    private mutating func value() -> PythonLiteral? {
        skipBlanks()
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.greatestDepth, let first = rest.first else { return nil }
        switch first {
        case "[":
            rest.removeFirst()
            return values(until: "]").map(PythonLiteral.list)
        case "(":
            rest.removeFirst()
            return parenthesised()
        case "{":
            rest.removeFirst()
            return braced()
        case "'", "\"": return strings()
        case "0"..."9", ".", "-", "+": return number()
        default: return word()
        }
    }

    /// Values with commas between them, up to that mark, or up to the end of the text.
    private mutating func values(until end: Unicode.Scalar?) -> [PythonLiteral]? {
        var values: [PythonLiteral] = []
        while true {
            skipBlanks()
            if rest.first == end {
                _ = rest.popFirst()
                return values
            }
            guard let value = value() else { return nil }
            values.append(value)
            skipBlanks()
            if rest.first == "," {
                rest.removeFirst()
            } else if rest.first != end {
                return nil
            }
        }
    }

    /// `()` and `(1,)` are tuples, `(1)` is a number.
    private mutating func parenthesised() -> PythonLiteral? {
        skipBlanks()
        if rest.first == ")" { return values(until: ")").map(PythonLiteral.list) }
        guard let first = value() else { return nil }
        skipBlanks()
        if rest.first == ")" {
            rest.removeFirst()
            return first
        }
        return values(after: first, until: ")")
    }

    /// The values that follow the first of a tuple or of a set, which both become lists.
    private mutating func values(after first: PythonLiteral, until end: Unicode.Scalar) -> PythonLiteral? {
        if rest.first == "," {
            rest.removeFirst()
        } else if rest.first != end {
            return nil
        }
        return values(until: end).map { .list([first] + $0) }
    }

    /// A dictionary, or a set.
    private mutating func braced() -> PythonLiteral? {
        var entries: [(key: PythonLiteral, value: PythonLiteral)] = []
        skipBlanks()
        while rest.first != "}" {
            guard let key = value() else { return nil }
            skipBlanks()
            guard rest.first == ":" else { return entries.isEmpty ? values(after: key, until: "}") : nil }
            rest.removeFirst()
            guard let value = value() else { return nil }
            entries.removeAll { $0.key == key }
            entries.append((key, value))
            skipBlanks()
            if rest.first == "," {
                rest.removeFirst()
                skipBlanks()
            } else if rest.first != "}" {
                return nil
            }
        }
        rest.removeFirst()
        return .dictionary(entries)
    }

    private mutating func skipBlanks() {
        while let first = rest.first {
            if first == "#" {
                rest = rest.drop { $0 != "\n" }
            } else if first == " " || first == "\t" {
                rest.removeFirst()
            } else {
                return
            }
        }
    }

    private mutating func word() -> PythonLiteral? {
        let word = String(Substring(rest.prefix { $0.properties.isAlphabetic || $0 == "_" }))
        rest = rest.dropFirst(word.unicodeScalars.count)
        if let quote = rest.first, quote == "'" || quote == "\"" {
            let marks = word.lowercased()
            guard ["r", "u", "b", "br", "rb"].contains(marks) else { return nil }
            return strings(isRaw: marks.contains("r"))
        }
        switch word {
        case "None": return PythonLiteral.none
        case "True": return .bool(true)
        case "False": return .bool(false)
        default: return nil
        }
    }

    private mutating func number() -> PythonLiteral? {
        var sign = ""
        while let first = rest.first, first == "-" || first == "+" {
            if first == "-" { sign = sign.isEmpty ? "-" : "" }
            rest.removeFirst()
            skipBlanks()
        }
        var text = ""
        while let first = rest.first {
            let isSign =
                (first == "-" || first == "+") && (text.last == "e" || text.last == "E") && !text.hasPrefix("0x")
            let isPart =
                switch first {
                case "0"..."9", ".", "_", "a"..."z", "A"..."Z": true
                default: isSign
                }
            guard isPart else { break }
            text.unicodeScalars.append(first)
            rest.removeFirst()
        }
        return PythonNumber.text(text).map { .number(sign + $0) }
    }

    /// Strings beside each other are one.
    private mutating func strings(isRaw: Bool = false) -> PythonLiteral? {
        var text = ""
        var isRaw = isRaw
        while let quote = rest.first, quote == "'" || quote == "\"" {
            guard let piece = string(quote, isRaw: isRaw) else { return nil }
            text += piece
            skipBlanks()
            isRaw = false
        }
        return .string(text)
    }

    private mutating func string(_ quote: Unicode.Scalar, isRaw: Bool) -> String? {
        let triple = String(repeating: String(quote), count: 3).unicodeScalars
        let isTriple = rest.starts(with: triple)
        rest = rest.dropFirst(isTriple ? 3 : 1)
        var text = String.UnicodeScalarView()
        while let first = rest.popFirst() {
            if first == quote {
                guard isTriple else { return String(text) }
                if rest.starts(with: triple.dropFirst()) {
                    rest = rest.dropFirst(2)
                    return String(text)
                }
            }
            guard first == "\\" else {
                text.append(first)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            if isRaw {
                text.append(first)
                text.append(escaped)
            } else {
                guard let meant = escape(escaped) else { return nil }
                text.append(contentsOf: meant)
            }
        }
        return nil
    }

    /// What a mark after a backslash means; nil when it is nothing that can be written.
    private mutating func escape(_ mark: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch mark {
        case "\\", "'", "\"": return [mark]
        case "n": return ["\n"]
        case "t": return ["\t"]
        case "r": return ["\r"]
        case "a": return ["\u{7}"]
        case "b": return ["\u{8}"]
        case "f": return ["\u{c}"]
        case "v": return ["\u{b}"]
        case "x": return code(digits: 2)
        case "u": return code(digits: 4)
        case "U": return code(digits: 8)
        case "N": return nil
        case "0"..."7":
            let more = rest.prefix(2).prefix { ("0"..."7").contains($0) }
            rest = rest.dropFirst(more.count)
            return UInt32(String(mark) + String(Substring(more)), radix: 8).flatMap(Unicode.Scalar.init).map { [$0] }
        default: return ["\\", mark]
        }
    }

    private mutating func code(digits: Int) -> [Unicode.Scalar]? {
        let text = String(Substring(rest.prefix(digits)))
        rest = rest.dropFirst(digits)
        guard text.count == digits, text.first != "+" else { return nil }
        return UInt32(text, radix: 16).flatMap(Unicode.Scalar.init).map { [$0] }
    }
}
