public import Engine
import Secrets

/// Ensures that a host's clocks show the time of a zone. What runs already keeps the old one until it is restarted.
///
///     TimeZone("Europe/Berlin")
public struct TimeZone: Resource {
    private let zone: String

    /// - Parameter zone: as in the time zone database: `Europe/Berlin`, `Etc/UTC`.
    public init(_ zone: String) {
        self.zone = zone
    }

    public var name: String { "time zone" }

    private static let link = "/etc/localtime"
    private var target: String { "/usr/share/zoneinfo/\(zone)" }
    private var file: File { File("/etc/timezone", containing: MaskedText(zone + "\n")) }

    public var questions: [any Fact] { file.questions + [SameFile(Self.link, target)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let changes = try file.changes(given: facts, after: pending)
        if try facts[SameFile(Self.link, target)] { return changes }
        return changes + [
            Change(
                "set time zone \(zone)",
                script: """
                    [ -f \(quoting: target) ] || { echo "the host knows no time zone" \(quoting: zone); exit 1; }
                    ln -sfT -- \(quoting: target) \(quoting: Self.link).drover
                    keep \(quoting: Self.link)
                    mv -fT -- \(quoting: Self.link).drover \(quoting: Self.link)
                    """, effects: [.writes(Self.link)])
        ]
    }
}
