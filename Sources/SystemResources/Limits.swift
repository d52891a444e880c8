public import Engine
import Secrets

/// Ensures that sessions have these limits from their next login on. Services have those of their units instead.
///
///     Limits("admins", [.init("@admins", "nproc", "4096")])
public struct Limits: Resource {
    /// One line of `limits.conf(5)`.
    public struct Limit: Sendable {
        /// Whether a limit is soft, hard or both.
        public enum Kind: String, Sendable {
            case soft
            case hard
            case both = "-"
        }

        let line: String

        /// - Parameters:
        ///   - domain: a user, a group as `@admins`, or `*`.
        ///   - item: what is limited, as `limits.conf(5)` calls it: `nofile`, `nproc`, `memlock`.
        ///   - value: a number in the unit of the item, or `unlimited`.
        public init(_ domain: String, _ item: String, _ value: String, _ kind: Kind = .both) {
            line = "\(domain) \(kind.rawValue) \(item) \(value)"
        }
    }

    private let file: File
    private let title: String

    /// - Parameter title: names the file, `/etc/security/limits.d/90-drover-TITLE.conf`.
    public init(_ title: String, _ limits: [Limit]) {
        self.title = title
        file = File(
            "/etc/security/limits.d/90-drover-\(title).conf",
            containing: MaskedText(limits.map { $0.line + "\n" }.joined()))
    }

    public var name: String { "limits \(title)" }

    public var questions: [any Fact] { file.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try file.changes(given: facts, after: pending)
    }
}
