public import Drover

/// Ensures that names lead to addresses without asking a name server: by a block of its own in `/etc/hosts`.
public struct HostsEntries: Resource {
    /// An address and its names.
    public struct Entry: Sendable {
        let line: String

        /// - Parameter names: the first one is what the address is called when its name is looked up.
        public init(_ address: String, _ names: String...) {
            line = ([address] + names).joined(separator: " ")
        }
    }

    private let title: String
    private let entries: [Entry]
    private let file = SharedFile(path: "/etc/hosts")

    /// - Parameters:
    ///   - title: tells the block from others.
    ///   - entries: without any, there is no such block.
    public init(_ title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    public var name: String { "hosts entries \(title)" }

    public var questions: [any Fact] { [file.lines] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let block = BlockEdit(name: title, lines: entries.map(\.line))
        return try file.change("write \(title) in \(file.path)", by: block, given: facts).map { [$0] } ?? []
    }
}
