/// The questions to ask of one host, grouped by kind, each only once.
public struct FactRequests: Sendable {
    private(set) var kinds: [any FactKind] = []

    public init() {}

    public init(_ facts: [any Fact]) {
        for fact in facts { insert(fact) }
    }

    public var isEmpty: Bool { kinds.isEmpty }

    public mutating func insert(_ fact: some Fact) {
        insert(fact, ofKind: type(of: fact))
    }

    /// The questions that `facts` does not answer, or that were answered before the host was changed.
    public func unanswered(by facts: Facts) -> FactRequests {
        var rest = FactRequests()
        for kind in kinds {
            for question in kind.unanswered(by: facts) { rest.insert(question) }
        }
        return rest
    }

    private mutating func insert<F: Fact>(_ fact: F, ofKind: F.Type) {
        guard let index = kinds.firstIndex(where: { $0 is Questions<F> }), var questions = kinds[index] as? Questions<F>
        else {
            kinds.append(Questions(first: fact))
            return
        }
        // Were it still in the list, all questions would be copied for each that is added.
        kinds[index] = NoQuestions()
        questions.insert(fact)
        kinds[index] = questions
    }
}

/// All questions of one kind, with the kind's type erased.
protocol FactKind: Sendable {
    var script: ShellText { get }
    func unanswered(by facts: Facts) -> [any Fact]
    func read(_ output: String, into facts: inout Facts) throws
}

private struct Questions<F: Fact>: FactKind {
    private var ordered: [F]
    private var known: Set<F>

    init(first: F) {
        ordered = [first]
        known = [first]
    }

    mutating func insert(_ fact: F) {
        if known.insert(fact).inserted { ordered.append(fact) }
    }

    var script: ShellText { F.script(for: ordered) }

    func unanswered(by facts: Facts) -> [any Fact] {
        ordered.filter(facts.isOpen)
    }

    func read(_ output: String, into facts: inout Facts) throws {
        let answers = try F.answers(to: ordered, from: output)
        for question in ordered {
            guard let answer = answers[question] else { throw UnreadableAnswer(F.self, output) }
            facts.record(answer, to: question)
        }
    }
}

/// Stands in a list for questions that are taken out of it for a moment.
private struct NoQuestions: FactKind {
    var script: ShellText { "" }
    func unanswered(by facts: Facts) -> [any Fact] { [] }
    func read(_ output: String, into facts: inout Facts) {}
}
