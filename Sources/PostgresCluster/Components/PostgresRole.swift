import Drover
import Secrets

/// Ensures that a role exists on the leader, with this password and these flags. An equal password is not written again.
struct PostgresRole: Resource {
    let role: String
    let password: Secret
    /// The flags the role shall have, no others; nil leaves them as they are.
    let flags: [ClusterConfiguration.Role.Flag]?
    /// Whether Patroni itself makes it with the cluster, so that it is missing only while there is no cluster.
    var comesWithCluster = false
    let catalog: PostgresCatalog

    var name: String { "role \(role)" }

    var questions: [any Fact] { [catalog] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let catalogue = try facts[catalog]
        if comesWithCluster, !catalogue.isRunning { return [] }
        guard let present = catalogue.roles[role] else {
            return [
                change(
                    "create role \(role)", "CREATE ROLE \(identifier) LOGIN\(flagWords) PASSWORD ", setsPassword: true)
            ]
        }
        var changes: [Change] = []
        if !present.canLogIn {
            changes.append(change("let role \(role) log in", "ALTER ROLE \(identifier) LOGIN"))
        }
        if let flags, Set(flags.map(\.rawValue)) != present.flags {
            changes.append(change("set the flags of role \(role)", "ALTER ROLE \(identifier)\(flagWords)"))
        }
        if ScramVerifier(present.verifier)?.matches(password) != true {
            changes.append(
                change("set the password of role \(role)", "ALTER ROLE \(identifier) PASSWORD ", setsPassword: true))
        }
        return changes
    }

    private var identifier: String { SQL.identifier(role) }

    private var flagWords: String {
        guard let flags else { return "" }
        return ClusterConfiguration.Role.Flag.allCases.map {
            flags.contains($0) ? " \($0.rawValue)" : " NO\($0.rawValue)"
        }
        .joined()
    }

    private func change(_ summary: String, _ statement: String, setsPassword: Bool = false) -> Change {
        var sql = MaskedText(statement)
        if setsPassword { sql.append(Secret(SQL.literal(ScramVerifier(of: password).text.reveal()))) }
        sql.append(";")
        return Change(summary, script: catalog.script(running: sql))
    }
}
