import Diagnostics
import Inventory
public import YAML

extension ClusterConfiguration.Balancing {
    /// `haproxy_extra_lines`: lines of the inventory's own in the sections of HAProxy, after those of Drover.
    public struct ExtraLines: Sendable, Equatable {
        /// By the names that the sections have in the file.
        public var bySection: [String: [String]] = [:]

        subscript(section: String) -> [String] { bySection[section] ?? [] }

        /// The sections by the keys of the inventory, which are those of `haproxy_listen_port`.
        private static let sections: [String: String] = {
            let listeners = [
                "master": HAProxyView.leaderListener, "replicas": HAProxyView.replicasListener,
                "replicas_sync": "replicas_sync", "replicas_async": "replicas_async",
            ]
            let direct = listeners.map { ("\($0)_direct", "\($1)_direct") }
            let single = ["global", "defaults", "stats"].map { ($0, $0) }
            return Dictionary(uniqueKeysWithValues: Array(listeners) + direct + single)
        }()

        /// The words that begin a section, which a line in one would end (HAProxy 2.6 configuration manual, 4).
        private static let beginnings: Set = [
            "global", "defaults", "listen", "frontend", "backend", "userlist", "peers", "mailers", "program",
            "resolvers",
            "http-errors", "ring", "cache", "fcgi-app", "log-forward",
        ]
    }
}

extension ClusterConfiguration.Balancing.ExtraLines: YAMLDecodable {
    /// `{ defaults: ['option tcplog'], master: ['timeout client 8h'] }`.
    public init(yaml node: YAMLNode) throws {
        let given = try [String: [String]](yaml: node)
        var diagnostics = Diagnostics()
        for (key, lines) in given.sorted(by: { $0.key < $1.key }) {
            guard let section = Self.sections[key] else {
                diagnostics.report(
                    "HAProxy has no section '\(key)'", at: node.location,
                    remedy: Suggestion.remedy(for: key, among: Self.sections.keys)
                        ?? "write one of \(Self.sections.keys.sorted().joined(separator: ", "))")
                continue
            }
            for line in lines {
                let word = line.prefix { !$0.isWhitespace }
                if word.isEmpty || Self.beginnings.contains(String(word)) {
                    diagnostics.report(
                        "'\(line)' is no line of a section of HAProxy", at: node.location,
                        remedy: "write a keyword and its arguments, such as 'option tcplog'")
                }
            }
            bySection[section] = lines
        }
        try diagnostics.throwIfAny()
    }
}

extension Variables {
    /// `balancer_tags` of each balancer: to which replicas it leads readers, by tags of theirs; all where it has none.
    mutating func balancerTags(
        of balancers: [Node], among members: [String: ClusterConfiguration.Patroni.Tags]
    ) -> [String: [String: String]] {
        let name = "balancer_tags"
        ignore(name)
        var tags: [String: [String: String]] = [:]
        for balancer in balancers {
            let text: String = optional(name, of: balancer.host) ?? ""
            let place = balancer.host.variables[name]?.node.location
            for tag in text.split(separator: ",") {
                let parts = tag.split(separator: "=", maxSplits: 1).map { String($0.filter { !$0.isWhitespace }) }
                guard parts.count == 2 else {
                    diagnostics.report(
                        "'\(tag)' is no tag", at: place, remedy: "write NAME=VALUE, several with commas between them")
                    continue
                }
                if !members.values.contains(where: { $0.own[parts[0]] == parts[1] }) {
                    diagnostics.report(
                        "no member has the tag '\(parts[0])=\(parts[1])', so that \(balancer.name) would serve no reader",
                        at: place,
                        remedy: "write patroni_tags: \(parts[0])=\(parts[1]) at the members that it is to use")
                }
                tags[balancer.name, default: [:]][parts[0]] = parts[1]
            }
        }
        return tags
    }
}

extension ClusterConfiguration {
    /// Whether a balancer leads readers to a member, by `balancer_tags`.
    func leads(_ balancer: String, to member: String) -> Bool {
        let own = patroni.tags[member]?.own ?? [:]
        return (balancing.tags[balancer] ?? [:]).allSatisfy { own[$0.key] == $0.value }
    }
}
