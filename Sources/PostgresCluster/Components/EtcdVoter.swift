import Engine
import Secrets
import SystemResources

/// Ensures that a member of etcd has a vote. One that joins a running etcd begins without: should it never come up, the quorum
/// of the others is what it was.
///
/// etcd gives the vote only to who has the data (etcd 3.4: "can only promote a learner member which is in sync with leader"),
/// and takes one member without a vote at a time. Such a member answers no questions, so the others are asked.
struct EtcdVoter: Resource {
    let node: EtcdPeer
    /// The others that have a vote; none in a new cluster, in which all have one from the beginning.
    let voters: [EtcdEndpoint]
    /// Whether it is just being added.
    let joins: Bool

    var name: String { "vote of \(node.name) in etcd" }

    var questions: [any Fact] { voters.map { EtcdStatus.members(at: $0) } }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if voters.isEmpty { return [] }
        let answers = try voters.map { try facts[EtcdStatus.members(at: $0)].json(EtcdStatus.Members.self) }
        let known = answers.compactMap(\.self).first?.members.first { $0.peerURLs.contains(node.url) }
        let isAdded = joins && pending.contains(.writes(EtcdInitialCluster.path))
        guard isAdded || known?.isLearner == true else { return [] }
        return [Change("give \(node.name) its vote in etcd", script: promotion, isDisturbing: true)]
    }

    /// In which order etcd tells of its members is no matter.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }

    /// The columns of `member list`: id, status, name, peer URLs, client URLs, whether it has no vote.
    private var promotion: ShellText {
        """
        \(EtcdEndpoint.control(voters))
        deadline=$(( $(date +%s) + 120 ))
        while :; do
            list=$(etcdctl member list)
            id=$(echo "$list" | awk -F ', ' -v url=\(quoting: node.url) '$4 == url && $6 == "true" { print $1 }')
            [ -n "$id" ] || break
            ! said=$(etcdctl member promote "$id" 2>&1) || break
            ! systemctl is-failed --quiet etcd.service || deadline=0
            [ "$(date +%s)" -lt "$deadline" ] || {
                printf '%s\\n' "$said" "the last lines of the journal of etcd.service:"
                journalctl --unit=etcd.service --no-pager --output=cat --lines=20
                exit 1
            }
            sleep 0.2
        done
        """
    }
}
