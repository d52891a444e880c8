/// What was observed on one host: the answers to the questions that were asked of it.
public struct Facts: Sendable {
    /// One table a kind of fact.
    private var tables: [ObjectIdentifier: any AnswerTable] = [:]

    public init() {}

    /// The answer to a question.
    ///
    /// - Throws: ``UnaskedFact`` when the question was not asked, which is a defect of the resource that did not
    ///   list it among its questions.
    public subscript<F: Fact>(_ fact: F) -> F.Answer {
        get throws {
            guard let answer = ifKnown(fact) else { throw UnaskedFact(fact) }
            return answer
        }
    }

    /// The answer to a question, or nil when it was not asked yet.
    public func ifKnown<F: Fact>(_ fact: F) -> F.Answer? {
        table(of: F.self).answers[fact]
    }

    /// Whether a question must be asked before something is decided by it: it was not asked yet, or the host was changed
    /// since then.
    func isOpen<F: Fact>(_ fact: F) -> Bool {
        let table = table(of: F.self)
        return table.answers[fact] == nil || table.old.contains(fact)
    }

    /// Makes all answers old: the host was changed, and only what is recorded from now on tells what it is like.
    mutating func age() {
        for (kind, table) in tables { tables[kind] = table.aged }
    }

    /// Records an answer: for the gathering of facts, and for tests of resources.
    public mutating func record<F: Fact>(_ answer: F.Answer, to fact: F) {
        // Taken out, so that not all answers are copied for each that is added.
        var table = tables.removeValue(forKey: ObjectIdentifier(F.self)) as? Answers<F> ?? Answers()
        table.answers[fact] = answer
        table.old.remove(fact)
        tables[ObjectIdentifier(F.self)] = table
    }

    /// The essence of the answer to a question, or nil when it was not asked.
    func essence(of fact: some Fact) -> String? {
        func essence<F: Fact>(_ fact: F) -> String? { ifKnown(fact).map(F.essence) }
        return essence(fact)
    }

    /// Takes over all answers of `newer`, which are not old.
    mutating func merge(_ newer: Facts) {
        for table in newer.tables.values { table.record(in: &self) }
    }

    private func table<F: Fact>(of kind: F.Type) -> Answers<F> {
        tables[ObjectIdentifier(kind)] as? Answers<F> ?? Answers()
    }
}

private protocol AnswerTable: Sendable {
    var aged: any AnswerTable { get }
    func record(in facts: inout Facts)
}

private struct Answers<F: Fact>: AnswerTable {
    var answers: [F: F.Answer] = [:]
    /// The questions whose answers are from before a change.
    var old: Set<F> = []

    var aged: any AnswerTable { Answers(answers: answers, old: Set(answers.keys)) }

    func record(in facts: inout Facts) {
        for (question, answer) in answers { facts.record(answer, to: question) }
    }
}

/// A resource used a fact that it had not asked for.
public struct UnaskedFact: Error, CustomStringConvertible {
    public var description: String

    init(_ fact: any Fact) {
        description = "the fact \(fact) was used but not asked for"
    }
}
