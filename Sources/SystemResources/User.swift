public import Drover
import Secrets

/// Ensures that a system user exists: one that runs programs and never logs in.
public struct User: Resource {
    private let user: String
    private let home: String
    private let shell: String

    public init(_ user: String, home: String = "/nonexistent", shell: String = "/usr/sbin/nologin") {
        self.user = user
        self.home = home
        self.shell = shell
    }

    public var name: String { "user \(user)" }

    public var questions: [any Fact] { [UserEntry(user)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let options = "--home-dir \(Shell.quote(home)) --shell \(Shell.quote(shell))"
        guard let entry = try facts[UserEntry(user)] else {
            return [
                Change(
                    "add user \(user)",
                    script: MaskedText(
                        "useradd --system --user-group --no-create-home \(options) -- \(Shell.quote(user))"))
            ]
        }
        if entry.home == home, entry.shell == shell { return [] }
        return [
            Change(
                "set home \(entry.home) → \(home), shell \(entry.shell) → \(shell) of user \(user)",
                script: MaskedText(
                    "usermod --home \(Shell.quote(home)) --shell \(Shell.quote(shell)) -- \(Shell.quote(user))"))
        ]
    }
}
