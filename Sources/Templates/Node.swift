import Diagnostics

/// A part of a parsed template.
indirect enum Node: Sendable {
    case text(String)
    case output(Expression)
    case loop(variable: String, at: SourceLocation, over: Expression, body: [Node])
    /// The first branch whose condition holds is rendered.
    case condition(branches: [(condition: Expression, body: [Node])], otherwise: [Node])
}

/// What stands between `{{` and `}}`, or behind `if` and `in`.
struct Expression: Sendable {
    indirect enum Kind: Sendable {
        case name(String)
        case attribute(of: Expression, String)
        case text(String)
        case integer(Int)
        case boolean(Bool)
        case not(Expression)
        case and(Expression, Expression)
        case or(Expression, Expression)
        case comparison(Comparison, Expression, Expression)
        case contains(list: Expression, element: Expression)
        case isNone(Expression)
        case filtered(Expression, Filter)
    }

    var kind: Kind
    var location: SourceLocation

    /// The names that lead to the value, such as `server.address`, or nil when it is computed.
    var path: String? {
        switch kind {
        case .name(let name): name
        case .attribute(let base, let name): base.path.map { "\($0).\(name)" }
        default: nil
        }
    }
}

enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .greater: left > right
        case .lessOrEqual: left <= right
        case .greaterOrEqual: left >= right
        }
    }
}

/// What can stand behind `|`.
enum Filter: Sendable {
    /// `list | join(',')`: the texts or numbers of a list with the separator between them.
    case join(separator: String)
    /// `text | upper`: in capital letters.
    case upper
    /// `text | lower`: in small letters.
    case lower
    /// `list | length` or `text | length`: how many elements or characters.
    case length
    /// `text | indent(4)`: every line but the first and the empty ones moved right by so many blanks, as in Jinja.
    case indent(Int)
    /// `text | quote`: between single quotes, those inside doubled, as YAML, SQL and postgresql.conf read it.
    case quote
    /// `text | line`: any text of one line. Without it a text is printed only if it is one word.
    case line

    static let names = ["indent", "join", "length", "line", "lower", "quote", "upper"]

    var name: String {
        switch self {
        case .join: "join"
        case .upper: "upper"
        case .lower: "lower"
        case .length: "length"
        case .indent: "indent"
        case .quote: "quote"
        case .line: "line"
        }
    }
}
