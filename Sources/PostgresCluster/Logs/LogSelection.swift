import Diagnostics
import Inventory

/// The units of which the messages are wanted.
struct LogSelection: Sendable {
    private struct Unit {
        let host: Host
        let name: String
        /// `leader` or `replica` where it counts only on such a member; nil otherwise.
        let condition: LogRole?
    }

    private let wanted: [Unit]

    /// - Parameters:
    ///   - words: hosts, as patterns of the inventory, and roles. All daemons of the cluster unless given.
    ///   - units: names of units, with or without `.service`. All of them unless given.
    /// - Throws: `Diagnostics` for words that name nothing.
    init(_ words: [String], units: [String], of configuration: ClusterConfiguration, in inventory: Inventory) throws {
        let all = configuration.hosts.flatMap { host in
            configuration.logUnits(of: host).map { (host: host, role: $0.role, unit: $0.unit) }
        }
        let known = Set(all.map(\.unit))
        let names = try units.map { name in
            let unit = name.hasSuffix(".service") ? name : "\(name).service"
            guard known.contains(unit) else {
                let short = known.map { String($0.dropLast(".service".count)) }.sorted()
                throw Diagnostic(
                    "the cluster has no unit '\(name)'",
                    remedy: Suggestion.remedy(for: name, among: short) ?? "give one of \(short.joined(separator: ", "))"
                )
            }
            return unit
        }
        let selected =
            try words.isEmpty
            ? all.map { Unit(host: $0.host, name: $0.unit, condition: nil) }
            : words.flatMap { word in
                if let role = LogRole(rawValue: word) {
                    let isOfMember = role == .leader || role == .replica
                    return all.filter { isOfMember ? [.member, .pooler].contains($0.role) : $0.role == role }
                        .map { Unit(host: $0.host, name: $0.unit, condition: isOfMember ? role : nil) }
                }
                let hosts = Set(try HostPattern(word).hosts(in: inventory).map(\.name))
                return all.filter { hosts.contains($0.host.name) }
                    .map { Unit(host: $0.host, name: $0.unit, condition: nil) }
            }
        wanted = selected.filter { names.isEmpty || names.contains($0.name) }
        guard !wanted.isEmpty else {
            throw Diagnostic("no daemon of \(configuration.name) is selected", remedy: "give fewer words or units")
        }
    }

    /// Whether the selection depends on the current leader.
    var needsLeader: Bool { wanted.contains { $0.condition != nil } }

    /// The hosts that may have such units, in the order of the cluster.
    var hosts: [Host] {
        var seen: Set<String> = []
        return wanted.map(\.host).filter { seen.insert($0.name).inserted }
    }

    /// The units of each host, by its name.
    func units(leader: String?) -> [String: [String]] {
        var units: [String: [String]] = [:]
        for unit in wanted where units[unit.host.name]?.contains(unit.name) != true {
            let leads = unit.host.name == leader
            guard unit.condition == nil || leads == (unit.condition == .leader) else { continue }
            units[unit.host.name, default: []].append(unit.name)
        }
        return units
    }
}
