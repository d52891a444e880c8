import Engine

/// Changes nothing, and says why.
struct Remark: Resource {
    let name: String

    init(_ text: String) { name = text }

    var questions: [any Fact] { [] }

    func changes(given facts: Facts, after pending: PendingEffects) -> [Change] { [] }

    func notices(given facts: Facts) -> [String] { [name] }
}
