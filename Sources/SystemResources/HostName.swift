public import Engine
import Secrets

/// Ensures that a host has a name, now and after the next boot. Its own addresses are for ``HostsEntries`` to name.
///
///     HostName("pg1")
public struct HostName: Resource {
    private let hostName: String

    public init(_ hostName: String) {
        self.hostName = hostName
    }

    public var name: String { "host name" }

    private var file: File { File("/etc/hostname", containing: MaskedText(hostName + "\n")) }
    private var live: FileContent { FileContent("/proc/sys/kernel/hostname", expected: hostName + "\n") }

    public var questions: [any Fact] { file.questions + [live, MaySetHostName()] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let changes = try file.changes(given: facts, after: pending)
        guard let current = try otherName(given: facts), try facts[MaySetHostName()] else { return changes }
        return changes + [
            Change(
                "set host name \(current) → \(hostName)", script: "hostname -- \(quoting: hostName)")
        ]
    }

    public func notices(given facts: Facts) throws -> [String] {
        guard let current = try otherName(given: facts), try !facts[MaySetHostName()] else { return [] }
        return ["the host name stays \(current) until the next boot: this host may not set it, as a container"]
    }

    private func otherName(given facts: Facts) throws -> String? {
        guard case .different(let content) = try facts[live] else { return nil }
        return content.linesOfText.first ?? ""
    }
}
