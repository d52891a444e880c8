import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration {
    /// From which member another one streams while both run and that one is not the leader; nil for the leader itself.
    func upstream(of name: String) -> String? { patroni.tags[name]?.upstream }

    /// How many members stand between a member and the leader.
    private func distance(of name: String) -> Int { upstream(of: name).map { 1 + distance(of: $0) } ?? 0 }

    /// Members in an order in which each comes after the one from which it streams.
    func upstreamFirst(_ nodes: [Node]) -> [Node] {
        Dictionary(grouping: nodes) { distance(of: $0.name) }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The members that stream from one, whoever leads.
    func downstream(of name: String) -> [String] {
        members.map(\.name).filter { upstream(of: $0) == name }
    }

    /// Whether a member streams from the leader itself. One whose own source leads does.
    func streams(_ name: String, fromLeader leader: String) -> Bool {
        upstream(of: name).map { $0 == leader } ?? true
    }
}

extension Variables {
    /// From which members others stream, by `patroni_replicatefrom`. Reports what cannot be so.
    mutating func upstreams(of members: [Node]) -> [String: String] {
        let names = members.map(\.name)
        var upstreams: [String: String] = [:]
        for member in members {
            guard let name: String = optional("patroni_replicatefrom", of: member.host) else { continue }
            let place = member.host.variables["patroni_replicatefrom"]?.node.location
            if name == member.name {
                diagnostics.report(
                    "\(member.name) cannot replicate from itself", at: place,
                    remedy: "name another member, or take it out")
            } else if !names.contains(name) {
                diagnostics.report(
                    "patroni_replicatefrom of \(member.name) is '\(name)', which is no member of the cluster",
                    at: place,
                    remedy: Suggestion.remedy(for: name, among: names)
                        ?? "the members are \(names.joined(separator: ", "))")
            } else {
                upstreams[member.name] = name
            }
        }
        reportCircle(in: upstreams, of: members)
        return upstreams
    }

    /// Nobody would get anything from the leader in a circle. Each is told once, where its first member stands.
    private mutating func reportCircle(in upstreams: [String: String], of members: [Node]) {
        var told: Set<String> = []
        for member in members where !told.contains(member.name) {
            var chain = [member.name]
            while let next = upstreams[chain[chain.count - 1]], !chain.contains(next) { chain.append(next) }
            guard chain.count > 1, upstreams[chain[chain.count - 1]] == member.name else { continue }
            told.formUnion(chain)
            diagnostics.report(
                "these members would replicate from each other in a circle: "
                    + (chain + [member.name]).joined(separator: " from "),
                at: member.host.variables["patroni_replicatefrom"]?.node.location,
                remedy: "take patroni_replicatefrom from one of them: it then streams from the leader")
        }
    }
}
