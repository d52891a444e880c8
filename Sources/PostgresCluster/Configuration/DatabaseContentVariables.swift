import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Content {
    init(
        _ variables: inout Variables, users: [ClusterConfiguration.Role], logins: [String],
        databases: [ClusterConfiguration.Database], parameters: [ClusterConfiguration.Parameter],
        switched: [ClusterConfiguration.Extension]
    ) {
        let given: [ClusterConfiguration.Extension] = variables.optional("postgresql_extensions") ?? []
        self.init(
            schemas: variables.optional("postgresql_schemas") ?? [],
            extensions: given
                + switched.filter { item in !given.contains { $0.name == item.name && $0.database == item.database } },
            grants: variables.optional("postgresql_privs") ?? [])
        let roles = Set(users.map(\.name) + logins)
        variables.check(schemas.map(\.database), in: databases, named: "postgresql_schemas")
        variables.check(extensions.map(\.database), in: databases, named: "postgresql_extensions")
        variables.check(grants.map(\.database), in: databases, named: "postgresql_privs")
        variables.check(databases.map(\.owner), among: roles, named: "postgresql_databases")
        variables.check(users.flatMap(\.memberOf), among: roles, named: "postgresql_users")
        variables.check(schemas.map(\.owner), among: roles, named: "postgresql_schemas")
        variables.check(grants.flatMap(\.roles), among: roles.union(["PUBLIC"]), named: "postgresql_privs")
        variables.reportRepeated(schemas.map { "\($0.database).\($0.name)" }, in: "postgresql_schemas")
        variables.reportRepeated(extensions.map { "\($0.database).\($0.name)" }, in: "postgresql_extensions")
        variables.checkPreloading(of: extensions.map(\.name), parameters)
    }
}

extension ClusterConfiguration.Grant {
    /// All roles that it names.
    fileprivate var roles: [String] {
        if case .future(_, _, let owner) = objects { [role, owner] } else { [role] }
    }
}

extension Variables {
    /// Reports databases that the cluster will not have.
    fileprivate mutating func check(
        _ names: [String], in databases: [ClusterConfiguration.Database], named variable: String
    ) {
        let known = ["postgres", "template1"] + databases.map(\.name)
        for name in Set(names).subtracting(known).sorted() {
            diagnostics.report(
                "'\(name)' is not among postgresql_databases", at: location(of: variable),
                remedy: Suggestion.remedy(for: name, among: Set(known)) ?? "add it there")
        }
    }

    /// Reports roles that the cluster will not have. Those of PostgreSQL itself begin with `pg_`.
    fileprivate mutating func check(_ names: [String], among roles: Set<String>, named variable: String) {
        for name in Set(names).subtracting(roles).sorted() where !name.hasPrefix("pg_") {
            diagnostics.report(
                "'\(name)' is not among postgresql_users", at: location(of: variable),
                remedy: Suggestion.remedy(for: name, among: roles)
                    ?? "add it there; without a password it is a role that nobody logs in as")
        }
    }

    /// Reports extensions whose library the server must load when it starts: without it they fail when they are used.
    fileprivate mutating func checkPreloading(
        of extensions: [String], _ parameters: [ClusterConfiguration.Parameter]
    ) {
        let preloaded = parameters.filter { $0.name == "shared_preload_libraries" }
            .flatMap { $0.value.split { $0 == "," || $0 == " " }.map(String.init) }
        for name in Set(extensions).intersection(Variables.preloaded).subtracting(preloaded).sorted() {
            diagnostics.report(
                "the extension '\(name)' does nothing unless PostgreSQL loads it when it starts",
                at: location(of: "postgresql_extensions"),
                remedy:
                    "add { option: shared_preload_libraries, value: '\((preloaded + [name]).joined(separator: ","))' } "
                    + "to postgresql_parameters")
        }
    }

    /// Extensions whose own documentation wants them in `shared_preload_libraries`.
    private static let preloaded: Set = [
        "pg_stat_statements", "pgaudit", "pg_cron", "timescaledb", "citus", "pg_wait_sampling", "pg_stat_kcache",
        "pg_qualstats", "pg_squeeze", "set_user",
    ]
}
