/// What is known at a place of a template before there is a context.
struct TemplateScope {
    /// The names and their shapes.
    var names: [String: Shape]
    /// The paths of optional values that were seen not to be none.
    var present: Set<String> = []

    static let loop = Shape.mapping(["first": .boolean, "last": .boolean, "index": .integer])

    /// The scope of a loop's body.
    func binding(_ variable: String, to element: Shape) -> TemplateScope {
        var scope = self
        scope.names[variable] = element
        scope.names["loop"] = Self.loop
        return scope
    }

    /// The scope of a place that is reached only when `condition` came out so.
    func assuming(_ condition: Expression, is outcome: Bool) -> TemplateScope {
        var scope = self
        scope.learn(from: condition, outcome)
        return scope
    }

    private mutating func learn(from condition: Expression, _ outcome: Bool) {
        switch condition.kind {
        case .isNone(let value) where !outcome:
            if let path = value.path { present.insert(path) }
        case .not(let inner): learn(from: inner, !outcome)
        case .and(let left, let right) where outcome, .or(let left, let right) where !outcome:
            learn(from: left, outcome)
            learn(from: right, outcome)
        default: break
        }
    }
}
