/// What reads variables, apart from the playbook that runs.
///
/// A closure itself is no value for a task: the optimiser of Swift 6.3 makes a program of it that crashes when it is set.
public struct VariableReaders: Sendable {
    private let isRead: @Sendable (String) -> Bool

    /// - Parameter isRead: whether a variable of the name is read.
    public init(_ isRead: @escaping @Sendable (String) -> Bool) {
        self.isRead = isRead
    }

    func read(_ name: String) -> Bool { isRead(name) }
}
