/// An expression of Jinja as it stands between `{{` and `}}`.
///
/// Source: Jinja 3.1, "Template Designer Documentation", section "Expressions".
indirect enum JinjaExpression: Sendable {
    case literal(JinjaValue)
    case list([JinjaExpression])
    case map([(key: JinjaExpression, value: JinjaExpression)])
    case name(String)
    /// A name or number of what the first one stands for.
    case element(JinjaExpression, of: JinjaExpression)
    case slice(from: JinjaExpression?, to: JinjaExpression?, of: JinjaExpression)
    /// A method of a value: `name.split('.')`.
    case method(String, of: JinjaExpression, JinjaArguments)
    /// A function: `lookup('env', 'HOME')`.
    case call(String, JinjaArguments)
    case filter(String, of: JinjaExpression, JinjaArguments)
    case test(String, of: JinjaExpression, JinjaArguments)
    case not(JinjaExpression)
    case negative(JinjaExpression)
    case binary(JinjaOperator, JinjaExpression, JinjaExpression)
    case choice(JinjaExpression, then: JinjaExpression, otherwise: JinjaExpression?)
}

/// The arguments of a filter, a test, a method or a function.
struct JinjaArguments: Sendable {
    var positional: [JinjaExpression] = []
    var named: [(name: String, value: JinjaExpression)] = []
}

enum JinjaOperator: String, Sendable {
    case or, and, equal = "==", unequal = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case contained = "in"
    case plus = "+", minus = "-", times = "*", divided = "/", floorDivided = "//", remainder = "%", power = "**"
    case joined = "~"
}
