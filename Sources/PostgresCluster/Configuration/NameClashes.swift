import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Role {
    /// Whether it is a name and a password, and nothing more.
    fileprivate var asksForNothing: Bool {
        flags.isEmpty && memberOf.isEmpty && inherits != false && connectionLimit == nil && expiry == nil
    }
}

extension Variables {
    /// `postgresql_users`, without those that are the cluster's own logins and ask for nothing more: postgresql_cluster has the
    /// pooler's login there.
    mutating func users(besides logins: [ClusterConfiguration.Login]) -> [ClusterConfiguration.Role] {
        let users: [ClusterConfiguration.Role] = optional("postgresql_users") ?? []
        return users.filter { user in
            guard let login = logins.first(where: { $0.name == user.name }), user.asksForNothing,
                user.canLogIn != false, user.password == nil || user.password == login.password
            else { return true }
            notes.append(
                Diagnostic(
                    "the user '\(user.name)' is the cluster's own login, which is made anyway",
                    at: location(of: "postgresql_users")))
            return false
        }
    }

    /// Reports logins and users of one name: their passwords and flags would be set to and fro at every run.
    mutating func reportClashes(logins: [String], users: [String]) {
        if let login = repeated(logins) {
            diagnostics.report(
                "two parts of the cluster log in as '\(login)'",
                at: location(of: "pgbouncer_auth_username") ?? location(of: "patroni_replication_username"),
                remedy: "give each a name of its own")
        }
        for user in users where logins.contains(user) {
            diagnostics.report(
                "the user '\(user)' is one that the cluster itself logs in as", at: location(of: "postgresql_users"),
                remedy: "take it out of postgresql_users: it has its own password variable")
        }
        reportRepeated(users, in: "postgresql_users")
    }

    /// Reports a name that a list has twice.
    mutating func reportRepeated(_ names: [String], in variable: String) {
        guard let name = repeated(names) else { return }
        diagnostics.report("'\(name)' is there twice", at: location(of: variable), remedy: "name it once")
    }

    private func repeated(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }
}
