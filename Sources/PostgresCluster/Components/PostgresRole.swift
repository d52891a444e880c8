import Engine
import Secrets

/// Ensures that a role exists on the leader, with this password and these flags. An equal password is not written again.
struct PostgresRole: Resource {
    let role: String
    /// Nil leaves it as it is.
    let password: Secret?
    /// The flags the role shall have, no others; nil leaves them as they are.
    let flags: [ClusterConfiguration.Role.Flag]?
    /// Nil leaves that as it is.
    var canLogIn: Bool? = true
    /// Nil leaves that as it is.
    var inherits: Bool?
    /// Nil leaves it as it is.
    var connectionLimit: Int?
    /// Nil leaves it as it is.
    var expiry: ClusterConfiguration.Role.Expiry?
    /// Whether Patroni itself makes it with the cluster, so that it is missing only while there is no cluster.
    var comesWithCluster = false
    let catalog: PostgresCatalog

    var name: String { "role \(role)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let catalogue = try facts[catalog]
        if comesWithCluster, !catalogue.isRunning { return [] }
        guard let present = catalogue.roles[role] else {
            let statement: SQLText =
                "CREATE ROLE \(identifier)\(login(canLogIn ?? false))\(flagWords)\(inheritance)\(limit)\(validity)"
            return [change("create role \(role)", statement, setting: password, as: .create)]
        }
        var changes: [Change] = []
        if let canLogIn, canLogIn != present.canLogIn {
            changes.append(
                change(
                    canLogIn ? "let role \(role) log in" : "let role \(role) no longer log in",
                    "ALTER ROLE \(identifier)\(login(canLogIn))"))
        }
        if let flags, Set(flags.map(\.rawValue)) != present.flags {
            changes.append(change("set the flags of role \(role)", "ALTER ROLE \(identifier)\(flagWords)"))
        }
        if let inherits, inherits != present.inherits {
            changes.append(
                change(
                    inherits ? "let role \(role) inherit privileges" : "let role \(role) no longer inherit privileges",
                    "ALTER ROLE \(identifier)\(inheritance)"))
        }
        if let connectionLimit, connectionLimit != present.connectionLimit {
            changes.append(
                change(
                    "set the connection limit of role \(role): \(present.connectionLimit) → \(connectionLimit)",
                    "ALTER ROLE \(identifier)\(limit)"))
        }
        if let expiry, expiry != present.expiry {
            changes.append(
                change("set the expiry of role \(role)'s password", "ALTER ROLE \(identifier)\(validity)"))
        }
        if let password, ScramVerifier(present.verifier)?.matches(password) != true {
            changes.append(
                change("set the password of role \(role)", "ALTER ROLE \(identifier)", setting: password))
        }
        return changes
    }

    private func login(_ isAllowed: Bool) -> SQLText { isAllowed ? " LOGIN" : " NOLOGIN" }

    private var inheritance: SQLText { inherits.map { $0 ? " INHERIT" : " NOINHERIT" } ?? "" }

    private var limit: SQLText { connectionLimit.map { " CONNECTION LIMIT \($0)" } ?? "" }

    private var validity: SQLText {
        switch expiry {
        case nil: ""
        case .never: " VALID UNTIL 'infinity'"
        case .at(let moment): " VALID UNTIL \(literal: moment.literal)"
        }
    }

    private var identifier: SQLText { "\(identifier: role)" }

    private var flagWords: SQLText {
        guard let flags else { return "" }
        return ClusterConfiguration.Role.Flag.allCases.map { flag -> SQLText in
            let word: SQLText = "\(trusted: flag.rawValue, because: "a case has the keyword of SQL for its raw value")"
            return flags.contains(flag) ? " \(word)" : " NO\(word)"
        }
        .joined()
    }

    private func change(
        _ summary: String, _ statement: SQLText, setting password: Secret? = nil, as kind: Change.Kind = .change
    ) -> Change {
        let secret: SQLText = password.map { " PASSWORD \(literal: ScramVerifier(of: $0).text)" } ?? ""
        return Change(summary, kind, script: catalog.script(running: "\(statement)\(secret);"))
    }
}
