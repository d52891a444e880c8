import Diagnostics
import Secrets

/// Fills in the holes of a template that was checked against its context's type.
///
/// Only a context whose `encode(to:)` contradicts its `init(from:)` can still bring a value that does not fit.
struct TemplateRenderer {
    private(set) var result = MaskedText()

    mutating func render(_ nodes: [Node], with names: [String: TemplateValue]) throws(Diagnostic) {
        for node in nodes {
            switch node {
            case .text(let text): result.append(text)
            case .output(let expression):
                switch try evaluate(expression, names) {
                case .text(let text):
                    if expression.isPrintedPlain { try require(text, .word, at: expression) }
                    result.append(text)
                case .integer(let number): result.append(String(number))
                case .boolean(let value): result.append(String(value))
                case .secret(let secret):
                    if expression.isPrintedPlain { try require(secret.reveal(), .line, at: expression) }
                    result.append(secret)
                case .none, .list, .mapping: throw misfit(expression)
                }
            case .loop(let variable, _, let list, let body):
                guard case .list(let elements) = try evaluate(list, names) else { throw misfit(list) }
                var names = names
                for (index, element) in elements.enumerated() {
                    names[variable] = element
                    names["loop"] = .mapping([
                        "first": .boolean(index == 0), "last": .boolean(index == elements.count - 1),
                        "index": .integer(index + 1),
                    ])
                    try render(body, with: names)
                }
            case .condition(let branches, let otherwise):
                var body = otherwise
                for branch in branches where try isTrue(branch.condition, names) {
                    body = branch.body
                    break
                }
                try render(body, with: names)
            }
        }
    }

    private func misfit(_ expression: Expression) -> Diagnostic {
        Diagnostic("the value does not fit the type of the context", at: expression.location)
    }

    /// - Throws: `Diagnostic` without the text: it may be a secret.
    private func require(_ text: String, _ extent: TextExtent, at expression: Expression) throws(Diagnostic) {
        guard !extent.holds(text) else { return }
        throw Diagnostic(
            "the value of '\(expression.subject)' is not one \(extent.rawValue)", at: expression.location,
            remedy: extent.remedy)
    }

    private func isTrue(_ expression: Expression, _ names: [String: TemplateValue]) throws(Diagnostic) -> Bool {
        guard case .boolean(let value) = try evaluate(expression, names) else { throw misfit(expression) }
        return value
    }

    private func evaluate(
        _ expression: Expression, _ names: [String: TemplateValue]
    ) throws(Diagnostic) -> TemplateValue {
        switch expression.kind {
        case .text(let text): return .text(text)
        case .integer(let number): return .integer(number)
        case .boolean(let value): return .boolean(value)
        // An optional that is nil is not encoded at all, and the checker saw that the name exists.
        case .name(let name): return names[name] ?? .none
        case .attribute(let base, let name):
            guard case .mapping(let members) = try evaluate(base, names) else { throw misfit(base) }
            return members[name] ?? .none
        case .not(let inner): return .boolean(try !isTrue(inner, names))
        case .and(let left, let right):
            guard try isTrue(left, names) else { return .boolean(false) }
            return .boolean(try isTrue(right, names))
        case .or(let left, let right):
            guard try !isTrue(left, names) else { return .boolean(true) }
            return .boolean(try isTrue(right, names))
        case .comparison(let comparison, let left, let right):
            switch (try evaluate(left, names), try evaluate(right, names)) {
            case (.text(let left), .text(let right)): return .boolean(comparison.holds(left, right))
            case (.integer(let left), .integer(let right)): return .boolean(comparison.holds(left, right))
            case (.boolean(let left), .boolean(let right)):
                return .boolean((left == right) == (comparison == .equal))
            default: throw misfit(left)
            }
        case .contains(let list, let element):
            guard case .list(let elements) = try evaluate(list, names) else { throw misfit(list) }
            return .boolean(elements.contains(try evaluate(element, names)))
        case .isNone(let inner): return .boolean(try evaluate(inner, names) == .none)
        case .filtered(let inner, let filter):
            let operand = try evaluate(inner, names)
            switch (filter, operand) {
            case (.line, .text(let text)): try require(text, .line, at: inner)
            case (.line, .secret(let secret)): try require(secret.reveal(), .line, at: inner)
            default: break
            }
            guard let value = filter.apply(to: operand) else { throw misfit(inner) }
            return value
        }
    }
}

extension Expression {
    /// The names of the value that is printed, without its filters.
    fileprivate var subject: String {
        if case .filtered(let inner, _) = kind { inner.subject } else { path ?? "this" }
    }

    /// Whether nothing in the template says how its text is to be written: no filter, and the template's own words neither.
    fileprivate var isPrintedPlain: Bool {
        switch kind {
        case .text: false
        case .filtered(_, .quote), .filtered(_, .line), .filtered(_, .indent): false
        case .filtered(let inner, _): inner.isPrintedPlain
        default: true
        }
    }
}

extension Filter {
    /// The filtered value, or nil when the filter is not for such a value.
    fileprivate func apply(to value: TemplateValue) -> TemplateValue? {
        switch (self, value) {
        case (.upper, .text(let text)): .text(text.uppercased())
        case (.lower, .text(let text)): .text(text.lowercased())
        case (.length, .text(let text)): .integer(text.count)
        case (.length, .list(let elements)): .integer(elements.count)
        case (.join(let separator), .list(let elements)): joined(elements, by: separator)
        case (.indent, .text(let text)), (.quote, .text(let text)): .text(rewritten(text))
        case (.line, .text), (.line, .secret): value
        case (.indent, .secret(let secret)), (.quote, .secret(let secret)):
            .secret(Secret(rewritten(secret.reveal())))
        default: nil
        }
    }

    private func joined(_ elements: [TemplateValue], by separator: String) -> TemplateValue? {
        var texts: [String] = []
        for element in elements {
            switch element {
            case .text(let text): texts.append(text)
            case .integer(let number): texts.append(String(number))
            default: return nil
            }
        }
        return .text(texts.joined(separator: separator))
    }

    private func rewritten(_ text: String) -> String {
        switch self {
        case .indent(let width):
            let blanks = String(repeating: " ", count: width)
            return Self.parts(of: text, at: "\n").enumerated()
                .map { index, line in index == 0 || line.isEmpty ? line : blanks + line }
                .joined(separator: "\n")
        case .quote: return "'" + Self.parts(of: text, at: "'").joined(separator: "''") + "'"
        case .join, .upper, .lower, .length, .line: return text
        }
    }

    /// By bytes: a quote with an accent upon it is another `Character`, but still a quote to who reads the file.
    private static func parts(of text: String, at separator: Unicode.Scalar) -> [String] {
        text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
