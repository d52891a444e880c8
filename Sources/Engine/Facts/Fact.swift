/// A typed question about a host, such as "which version of this package is installed?".
///
/// All questions of one kind are answered by one run of one program: a kind is a type, and its shell text gets all
/// of its questions at once. A converged host therefore starts a handful of programs, however many resources it has.
public protocol Fact: Hashable, Sendable {
    associatedtype Answer: Equatable & Sendable

    /// The shell text (POSIX `sh`) that answers all `questions` on its standard output and changes nothing.
    static func script(for questions: [Self]) -> ShellText

    /// Reads what the shell text printed.
    ///
    /// - Returns: an answer for every one of `questions`.
    /// - Throws: ``UnreadableAnswer`` when the output is not what the shell text prints.
    static func answers(to questions: [Self], from output: String) throws -> [Self: Answer]

    /// What of an answer a decision may rest on, so that a saved plan is stale when it has changed. What always changes
    /// on a living host, such as a counter, is left out. The whole answer unless a kind says otherwise.
    static func essence(of answer: Answer) -> String
}

extension Fact {
    public static func essence(of answer: Answer) -> String { Essence.text(of: answer) }
}

/// The output of a fact's shell text is not what that text prints: a defect, or a host of an unknown kind.
public struct UnreadableAnswer: Error, CustomStringConvertible {
    public var description: String

    public init(_ kind: Any.Type, _ output: some StringProtocol) {
        description = "cannot read the answer of \(kind): \(String(output.prefix(200)).debugDescription)"
    }
}
