import Diagnostics
import Secrets

/// Where in a text new lines go.
public enum TextPlace: Hashable, Sendable {
    case start
    case end
    /// After the last line in which this regular expression is found; at the end when there is none.
    case after(String)
    /// Before the last line in which this regular expression is found; at the end when there is none.
    case before(String)

    /// - Throws: `Diagnostic` when it is no regular expression.
    func check(of resource: String) throws {
        switch self {
        case .start, .end: break
        case .after(let pattern), .before(let pattern): _ = try LinePattern(pattern, of: resource)
        }
    }

    /// The index at which new lines are inserted into `lines`.
    func index(in lines: [MaskedText]) throws -> Int {
        switch self {
        case .start: 0
        case .end: lines.count
        case .after(let pattern): try LinePattern(pattern, of: "").lastIndex(in: lines).map { $0 + 1 } ?? lines.count
        case .before(let pattern): try LinePattern(pattern, of: "").lastIndex(in: lines) ?? lines.count
        }
    }
}

/// A regular expression that is looked for in single lines.
struct LinePattern {
    private let regex: Regex<AnyRegexOutput>

    /// - Throws: `Diagnostic` when `pattern` is none.
    init(_ pattern: String, of resource: String) throws {
        do {
            regex = try Regex(pattern).matchingSemantics(.unicodeScalar)
        } catch {
            throw Diagnostic("\(resource): '\(pattern)' is no regular expression: \(error)")
        }
    }

    /// Of the lines in which it is found, the last one.
    func lastIndex(in lines: [MaskedText]) -> Int? {
        lines.lastIndex { $0.reveal().contains(regex) }
    }
}
