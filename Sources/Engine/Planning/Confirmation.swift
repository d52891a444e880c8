/// What must be said to let a playbook destroy something: more than yes.
public struct Confirmation: Hashable, Sendable {
    /// What is destroyed, by the name that a person types.
    public let name: String
    /// What tells it from a namesake; nil when nothing is left by which that could be told.
    public let identity: String?

    public init(name: String, identity: String?) {
        self.name = name
        self.identity = identity
    }

    /// What approves it without a person: `NAME@IDENTITY`, or the name alone.
    public var words: String { identity.map { "\(name)@\($0)" } ?? name }

    /// Whether `words` name what is destroyed. An identity that nothing is left of to compare it with is let pass, so
    /// that the command that began it also ends it.
    public func accepts(_ words: String) -> Bool {
        words == self.words || (identity == nil && words.hasPrefix(name + "@"))
    }
}
