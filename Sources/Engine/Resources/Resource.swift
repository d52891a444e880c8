/// Something on a host that is to be in a declared state. Reads as a sentence: `File("/etc/motd", containing: …)`
/// ensures that the file has that content.
///
/// A resource does nothing itself. It says which facts it needs, and decides from them, purely, what must change.
/// Plan, apply and verify call that same decision, so they cannot disagree.
public protocol Resource: Sendable {
    /// What it is, for people: `file /etc/motd`, `service haproxy`. Unique on a host within a play.
    var name: String { get }

    /// The facts that the decision looks at.
    var questions: [any Fact] { get }

    /// The facts that the decision looks at, as soon as some of them are known: what only those show to be worth asking is
    /// asked after them. ``questions`` unless a resource says otherwise.
    func questions(given facts: Facts) -> [any Fact]

    /// Decides what turns the observed state into the declared one.
    ///
    /// - Parameters:
    ///   - facts: what was observed on the host.
    ///   - pending: what the resources before this one, in the same play on the same host, are about to change.
    /// - Returns: the changes in the order in which they must be made; none when the host is as declared.
    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change]

    /// What people should know although nothing can or must be changed for it.
    func notices(given facts: Facts) throws -> [String]

    /// What the decision rests on, as a text: when it has changed, a saved plan is stale. The essence of all facts
    /// unless a resource says otherwise.
    func essence(given facts: Facts) throws -> String
}

extension Resource {
    public func questions(given facts: Facts) -> [any Fact] { questions }

    public func essence(given facts: Facts) throws -> String {
        questions.map { facts.essence(of: $0) ?? "" }.joined(separator: "\u{1e}")
    }

    public func notices(given facts: Facts) throws -> [String] { [] }
}
