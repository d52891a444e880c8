import Diagnostics
import Inventory

/// An extension that a switch of the inventory installs, loads and creates in one: `enable_postgis`.
struct ExtensionSwitch: Sendable {
    /// What follows `enable_`.
    let name: String
    /// What follows `postgresql-15-` in the name of its package; nil for one that neither Debian nor PostgreSQL's own
    /// repository has.
    let package: String?
    /// What is created, in this order.
    let extensions: [String]
    /// What PostgreSQL must load when it starts.
    var libraries: [String] = []
    /// Whether Debian 12 has the package.
    var isInDebian12 = true
    /// Whether it serves all databases from the database `postgres`.
    var isCentral = false

    var variable: String { "enable_\(name)" }

    static let all =
        [
            ExtensionSwitch(name: "postgis", package: "postgis-3", extensions: ["postgis"]),
            ExtensionSwitch(name: "pgrouting", package: "pgrouting", extensions: ["postgis", "pgrouting"]),
            ExtensionSwitch(name: "pg_repack", package: "repack", extensions: ["pg_repack"]),
            ExtensionSwitch(name: "pg_partman", package: "partman", extensions: ["pg_partman"]),
            ExtensionSwitch(name: "pgvector", package: "pgvector", extensions: ["vector"], isInDebian12: false),
            ExtensionSwitch(
                name: "pg_cron", package: "cron", extensions: ["pg_cron"], libraries: ["pg_cron"], isCentral: true),
            ExtensionSwitch(name: "pgaudit", package: "pgaudit", extensions: ["pgaudit"], libraries: ["pgaudit"]),
            ExtensionSwitch(
                name: "pg_wait_sampling", package: "pg-wait-sampling", extensions: ["pg_wait_sampling"],
                libraries: ["pg_wait_sampling"]),
            ExtensionSwitch(
                name: "pg_stat_kcache", package: "pg-stat-kcache",
                extensions: ["pg_stat_statements", "pg_stat_kcache"],
                libraries: ["pg_stat_statements", "pg_stat_kcache"]),
        ]
        + ["timescale", "timescaledb", "citus", "pgvectorscale", "paradedb", "pg_search", "pg_analytics"].map {
            ExtensionSwitch(name: $0, package: nil, extensions: [])
        }

    var descriptor: VariableDescriptor {
        VariableDescriptor(
            variable, .postgres, "true or false", default: "false", change: libraries.isEmpty ? "SQL" : "restart, SQL",
            package.map { package in
                "Installs `postgresql-15-\(package)`\(isInDebian12 ? "" : ", which Debian 12 does not have,")"
                    + (libraries.isEmpty ? "" : ", loads \(Self.list(libraries))")
                    + " and creates \(Self.list(extensions)) in "
                    + (isCentral ? "`postgres`" : "each of `postgresql_databases`, or in `postgres` without any")
            } ?? "Only `false`: the package is in the repository of its makers alone")
    }

    private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: " and ") }
}

/// What the switches of an inventory ask for.
struct SwitchedExtensions {
    private(set) var packages: [String] = []
    private(set) var libraries: [String] = []
    private(set) var extensions: [ClusterConfiguration.Extension] = []

    init(_ variables: inout Variables, version: Int, databases: [ClusterConfiguration.Database]) {
        for item in ExtensionSwitch.all where variables.optional(item.variable) ?? false {
            let place = variables.location(of: item.variable)
            guard let suffix = item.package else {
                variables.diagnostics.report(
                    "neither Debian nor PostgreSQL's own repository has a package of '\(item.name)'", at: place,
                    remedy:
                        "add the repository of its makers to the hosts, and name the package in postgresql_packages, the "
                        + "library in shared_preload_libraries of postgresql_parameters, and the extension in "
                        + "postgresql_extensions")
                continue
            }
            let package = "postgresql-\(version)-\(suffix)"
            if version == 15, !item.isInDebian12 {
                variables.notes.append(
                    Diagnostic("Debian 12 has no package \(package): a repository of the hosts must have it", at: place)
                )
            }
            packages.append(package)
            libraries += item.libraries.filter { !libraries.contains($0) }
            let places = item.isCentral || databases.isEmpty ? ["postgres"] : databases.map(\.name)
            for database in places {
                for name in item.extensions where !has(name, in: database) {
                    extensions.append(.init(database: database, name: name, schema: nil, version: nil))
                }
            }
        }
    }

    private func has(_ name: String, in database: String) -> Bool {
        extensions.contains { $0.name == name && $0.database == database }
    }
}

extension ClusterConfiguration.Postgres {
    /// Adds packages, and libraries behind those that the inventory itself has PostgreSQL load.
    mutating func add(_ switched: SwitchedExtensions) {
        packages += switched.packages.filter { !packages.contains($0) }
        guard !switched.libraries.isEmpty else { return }
        let name = "shared_preload_libraries"
        let given = parameters.last { $0.name == name }?.value.split { $0 == "," || $0 == " " }.map(String.init) ?? []
        let all = given + switched.libraries.filter { !given.contains($0) }
        parameters.removeAll { $0.name == name }
        parameters.append(.init(name: name, value: all.joined(separator: ",")))
    }
}
