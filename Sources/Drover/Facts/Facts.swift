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

    /// Records an answer: for the gathering of facts, and for tests of resources.
    public mutating func record<F: Fact>(_ answer: F.Answer, to fact: F) {
        // Taken out, so that not all answers are copied for each that is added.
        var table = tables.removeValue(forKey: ObjectIdentifier(F.self)) as? Answers<F> ?? Answers()
        table.answers[fact] = answer
        tables[ObjectIdentifier(F.self)] = table
    }

    /// The essence of the answer to a question, or nil when it was not asked.
    func essence(of fact: some Fact) -> String? {
        func essence<F: Fact>(_ fact: F) -> String? { ifKnown(fact).map(F.essence) }
        return essence(fact)
    }

    /// Takes over all answers of `newer`.
    mutating func merge(_ newer: Facts) {
        for table in newer.tables.values { table.record(in: &self) }
    }

    private func table<F: Fact>(of kind: F.Type) -> Answers<F> {
        tables[ObjectIdentifier(kind)] as? Answers<F> ?? Answers()
    }
}

private protocol AnswerTable: Sendable {
    func record(in facts: inout Facts)
}

private struct Answers<F: Fact>: AnswerTable {
    var answers: [F: F.Answer] = [:]

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
