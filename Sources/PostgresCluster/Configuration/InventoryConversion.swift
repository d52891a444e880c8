public import Inventory
import YAML

/// An inventory of postgresql_cluster reduced to what matters to a cluster, as a YAML inventory of its own.
///
/// Values are those that hold: what others override is left out, and references are replaced, but for facts of hosts. Behind
/// each stands where it came from.
public struct InventoryConversion: Sendable {
    private let inventory: Inventory
    /// What is wrong with the inventory as it is, and what becomes of its variables.
    public let review: VariableReview

    /// - Parameters:
    ///   - inventory: with its secrets not yet read, so that they stay where they are.
    ///   - resolved: the same with its secrets.
    /// - Throws: `Diagnostics` when it cannot be decoded at all.
    public init(of inventory: Inventory, resolved: Inventory) throws {
        self.inventory = inventory.completed(with: ClusterDefaults.values)
        review = try VariableReview(of: resolved)
    }

    /// The names that are written: what the configuration takes, and what expressions with facts refer to.
    private var names: [String] {
        let kept = review.understood.filter { name in
            !isOfPartThatIsOff(name)
                && inventory.hosts.contains { $0.variables[name].map { !isCustomary($0) } ?? false }
        }
        var all = Set(kept)
        var open = kept.filter { name in inventory.hosts.contains { $0.variables[name]?.takesFacts ?? false } }
        while let name = open.popLast() {
            for other in inventory.references(of: name) where inventory.has(other) && all.insert(other).inserted {
                open.append(other)
            }
        }
        return VariableDescriptor.all.map(\.name).filter(all.contains)
            + all.filter { VariableDescriptor.named($0) == nil }.sorted()
    }

    /// The switches of parts whose other variables begin alike.
    private static let switches = [
        "pgbackrest_": "pgbackrest_install", "wal_g_": "wal_g_install", "swap_file_": "swap_file_create",
        "ntp_": "ntp_enabled", "sysctl_": "sysctl_set", "firewall_": "firewall_enabled_at_boot",
    ]

    private func isOfPartThatIsOff(_ name: String) -> Bool {
        guard let part = Self.switches.first(where: { name.hasPrefix($0.key) })?.value, name != part else {
            return false
        }
        return !inventory.hosts.contains { $0.variables[part].map { !$0.node.isOff } ?? false }
    }

    /// Whether a variable says what is so without it.
    private func isCustomary(_ variable: Variable) -> Bool {
        guard !variable.node.isEmpty else { return true }
        guard variable.faults.isEmpty else { return true }
        return variable.node.text.map { $0 == VariableDescriptor.named(variable.name)?.default } ?? false
    }

    /// The new inventory.
    public var text: String {
        let (common, single) = parted
        var lines = ["# Made by 'drover convert' of \(inventory.file).", "all:", "  vars:"]
        lines += common.flatMap { self.lines(of: $0, indent: 4) }
        lines.append("  children:")
        var told: Set<String> = []
        for group in ["etcd_cluster", "balancers", "master", "replica", "pgbackrest"] {
            let hosts = inventory.hosts(in: group)
            guard !hosts.isEmpty else { continue }
            lines += ["    \(group):", "      hosts:"]
            for host in hosts {
                lines.append("        \(quoted(host.name)):")
                guard told.insert(host.name).inserted else { continue }
                lines += (single[host.name] ?? []).flatMap { self.lines(of: $0, indent: 10) }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// What became of every variable, as a table: its name, what is done, and where it stands.
    public var report: String {
        var rows: [(name: String, verdict: String, place: String)] = []
        let taken = Set(names)
        var unjudged = Dictionary(
            (review.agreeing.map { ($0.variable.name, "left out: \($0.reason)") }
                + review.unsupported.map { ($0.variable.name, "NOT SUPPORTED: \($0.reason)") }),
            uniquingKeysWith: { first, _ in first })
        for name in review.understood {
            unjudged[name] = taken.contains(name) ? "kept" : "left out: it says what is so anyway"
        }
        for name in review.referred where unjudged[name] == nil {
            unjudged[name] = taken.contains(name) ? "kept" : "left out: its value stands where it was referred to"
        }
        for variable in inventory.declaredVariables {
            rows.append((variable.name, unjudged[variable.name] ?? "UNKNOWN", "\(variable.location)"))
        }
        let width = rows.map(\.name.count).max() ?? 0
        return rows.sorted { ($0.name, $0.place) < ($1.name, $1.place) }.map { row in
            row.name + String(repeating: " ", count: width - row.name.count) + "  \(row.verdict)  (\(row.place))\n"
        }.joined()
    }

    /// Those that are the same for all hosts, and those of single ones.
    private var parted: (common: [Variable], single: [String: [Variable]]) {
        var common: [Variable] = []
        var single: [String: [Variable]] = [:]
        let connection = Set(inventory.hosts.flatMap { $0.connectionVariables.keys }).sorted()
        for name in connection + names {
            let values = inventory.hosts.map { $0.variables[name] ?? $0.connectionVariables[name] }
            let places = Set(values.map { $0.map { "\($0.location) \($0.node.flow)" } })
            if places.count == 1, let variable = values.first ?? nil {
                common.append(variable)
            } else {
                for (host, value) in zip(inventory.hosts, values) {
                    if let value { single[host.name, default: []].append(value) }
                }
            }
        }
        return (common, single)
    }

    private func lines(of variable: Variable, indent: Int) -> [String] {
        let blanks = String(repeating: " ", count: indent)
        let place = "# \(variable.location)"
        if variable.isEncrypted {
            return ["\(blanks)# \(variable.name) is in an encrypted file: leave it there  \(place)"]
        }
        var lines = self.lines(of: variable.convertible, after: "\(blanks)\(variable.name):", indent: indent)
        lines[0] += "  \(place)"
        return lines
    }

    /// A value in one line if it is short, and otherwise each of its elements on lines of its own.
    ///
    /// - Parameters:
    ///   - beginning: what stands before the value: a key, or the dash of a list.
    ///   - indent: of that.
    private func lines(of node: YAMLNode, after beginning: String, indent: Int) -> [String] {
        let inside = String(repeating: " ", count: indent + 2)
        switch node.value {
        case .sequence(let elements) where node.tag == nil && elements.count > 1 && isLong(node):
            return [beginning]
                + elements.flatMap { lines(of: $0, after: "\(inside)-", indent: indent + 2) }
        case .mapping(let entries) where node.tag == nil && isLong(node) && !beginning.hasSuffix("-"):
            return [beginning]
                + entries.flatMap { lines(of: $0.value, after: "\(inside)\($0.key.flow):", indent: indent + 2) }
        default: return ["\(beginning) \(node.flow)"]
        }
    }

    private func isLong(_ node: YAMLNode) -> Bool { node.flow.count > 60 }

    private func quoted(_ name: String) -> String {
        name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.-]*/) != nil ? name : "\"\(name)\""
    }
}
