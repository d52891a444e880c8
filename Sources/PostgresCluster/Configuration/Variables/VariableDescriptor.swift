import Diagnostics

/// What there is to say of a variable that describes a cluster.
///
/// ``all`` has every variable that a cluster reads, and no other. Suggestions, `drover inventory --describe` and the reference
/// page come from it.
public struct VariableDescriptor: Sendable {
    /// A section of the reference page.
    public enum Section: String, CaseIterable, Sendable {
        case cluster = "Cluster and groups"
        case balancing = "VIP and balancers"
        case postgres = "PostgreSQL"
        case patroni = "Patroni"
        case etcd
        case pooler = "PgBouncer"
        case tls = "TLS"
        case backups = "pgBackRest"
        case walg = "WAL-G"
        case monitoring = "Monitoring"
        case system = "Operating system"
    }

    public let name: String
    public let section: Section
    /// The type or the allowed values, with the unit: `port`, `seconds, at least 1`.
    public let type: String
    /// The value of a variable that is not set.
    public let `default`: String
    /// What a running cluster needs when it changes: `reload`, `restart`, `etcd`, `SQL`, `new`, or `—` for nothing.
    public let change: String
    /// What it means, in Markdown.
    public let meaning: String
    /// The first version of Drover that has it.
    public let since: String

    init(
        _ name: String, _ section: Section, _ type: String, default: String, change: String, _ meaning: String,
        since: String = "0.1.0"
    ) {
        self.name = name
        self.section = section
        self.type = type
        self.default = `default`
        self.change = change
        self.meaning = meaning
        self.since = since
    }

    /// All of them, in the order of the reference page.
    public static let all =
        clusterVariables + postgresVariables + patroniVariables + poolerVariables
        + ExtensionSwitch.all.map(\.descriptor) + backupsVariables + systemVariables

    /// The one of a name; nil when a cluster reads no such variable.
    public static func named(_ name: String) -> VariableDescriptor? { byName[name] }

    /// What there is to say of a name, also of one that a cluster does not read.
    ///
    /// - Throws: a `Diagnostic` for an unknown name.
    public static func describing(_ name: String) throws -> String {
        if let descriptor = named(name) { return "\(descriptor)" }
        if let entry = ForeignVariables.entry(for: name) {
            return "\(name) (of postgresql_cluster)\n  \(entry.reason)\n  Asks for nothing at: \(entry.demand.words)"
        }
        throw Diagnostic(
            "there is no variable '\(name)'", remedy: Suggestion.remedy(for: name, among: byName.keys))
    }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
}

extension VariableDescriptor: CustomStringConvertible {
    public var description: String {
        """
        \(name) (\(section.rawValue))
          \(meaning.filter { $0 != "`" })
          Type: \(type.filter { $0 != "`" })
          Default: \(`default`.filter { $0 != "`" })
          A change needs: \(change)
          Since: Drover \(since)
        """
    }
}
