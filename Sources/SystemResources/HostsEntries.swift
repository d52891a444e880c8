public import Engine
import Secrets

/// Ensures that names lead to addresses without asking a name server: by a block of its own in `/etc/hosts`.
///
///     HostsEntries("cluster", [.init("10.0.0.11", "pg1.example.com", "pg1"), .init("10.0.0.12", "pg2")])
public struct HostsEntries: Resource {
    /// An address and its names.
    public struct Entry: Sendable {
        let line: String

        /// - Parameter names: the first one is what the address is called when its name is looked up.
        public init(_ address: String, _ names: String...) {
            self.init(address, names: names)
        }

        /// - Parameter names: the first one is what the address is called when its name is looked up.
        public init(_ address: String, names: [String]) {
            line = ([address] + names).joined(separator: " ")
        }
    }

    public let name: String
    private let edit: TextEdit

    /// - Parameters:
    ///   - title: tells the block from others.
    ///   - entries: without any, there is no such block.
    public init(_ title: String, _ entries: [Entry]) {
        name = "hosts entries \(title)"
        let lines = entries.isEmpty ? nil : entries.map { MaskedText($0.line) }
        edit = TextEdit(
            path: "/etc/hosts", createsFile: true, summary: "write \(title) in /etc/hosts",
            edit: MarkedLines(markers: Block.Markers(title), content: lines, place: .end).edited)
    }

    public var questions: [any Fact] { edit.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try edit.changes(given: facts, after: pending)
    }
}
