import Engine
import Secrets
import SystemResources

/// Ensures that a node does not belong to etcd. The other members are told; what it has itself is another matter.
struct NoEtcdMember: Resource {
    let node: Peer
    /// How the others reach it.
    let peerURL: String
    /// The member of etcd that is asked and told.
    let speaker: EtcdEndpoint

    var name: String { "no member \(node.name) of etcd" }

    private var members: HTTPResponse { EtcdStatus.members(at: speaker) }

    var questions: [any Fact] { [members] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let known = try facts[members].json(EtcdStatus.Members.self)?.members ?? []
        guard known.contains(where: { $0.peerURLs.contains(peerURL) }) else { return [] }
        return [
            Change(
                "remove \(node.name) from etcd", .remove,
                script: """
                    \(EtcdEndpoint.control([speaker]))
                    list=$(etcdctl --command-timeout=10s member list)
                    id=$(echo "$list" | awk -F ', ' '$4 == "\(inSingleQuotes: peerURL)" { print $1 }')
                    [ -z "$id" ] || etcdctl --command-timeout=10s member remove "$id"
                    """, isDisturbing: true)
        ]
    }

    /// In which order etcd tells of its members is no matter.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }
}
