import Engine
import Secrets
import SystemResources

/// Ensures that a member of etcd knows with whom it begins, as long as it has not begun: with the other members of a new
/// cluster, or with those of a running one, to which it is added.
struct EtcdBeginning: Resource {
    let node: EtcdPeer
    let token: String
    let dataDirectory: String
    /// Tells the members of a new cluster.
    let newCluster: File
    /// The member of a new cluster that begins before this one; nil when it is this one.
    let first: (name: String, endpoint: EtcdEndpoint)?
    /// The running members to join; none in a new cluster.
    let present: [EtcdEndpoint]

    var name: String { "beginning of etcd" }

    private var log: FileStatus { FileStatus(dataDirectory + "/member/wal") }

    var questions: [any Fact] { [log] + newCluster.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[log] != nil { return [] }
        if present.isEmpty {
            return try newCluster.changes(given: facts, after: pending)
                + (first.map { [givingWay(to: $0.name, at: $0.endpoint)] } ?? [])
        }
        // One member at a time: a further one is added only while all others are healthy.
        return [
            Change(
                "add \(node.name) to etcd", .create, script: joining,
                effects: [.writes(EtcdInitialCluster.path)], isDisturbing: true)
        ]
    }

    /// A member that begins asks the others, in the order of their addresses, whether the cluster has begun, until one answers.
    /// Members that begin in the same moment would all listen and not answer yet, and wait a second for each other
    /// (`getClusterFromRemotePeers` of etcd). The first one is given five seconds: it may be none of this run's hosts.
    private func givingWay(to name: String, at endpoint: EtcdEndpoint) -> Change {
        Change(
            "let \(name) begin first", .wait,
            script: """
                deadline=$(( $(date +%s) + 5 ))
                until \(endpoint.curlForMembers) || [ "$(date +%s)" -ge "$deadline" ]; do sleep 0.05; done
                """)
    }

    /// It is added without a vote, which ``EtcdVoter`` gives it: until it has come up and has all data, it must not count for
    /// the quorum of the others. One that was added by a run that died is not added again.
    ///
    /// For five seconds after a member has come up, such as the one that this run has added before, etcd calls the cluster
    /// unhealthy and takes no other one (`HealthInterval` of etcd 3.4).
    private var joining: ShellText {
        let file = ShellText.quoting(EtcdInitialCluster.path)
        return """
            \(EtcdEndpoint.control(present))
            etcdctl endpoint health
            deadline=$(( $(date +%s) + 30 ))
            until etcdctl member list | grep -qF \(quoting: " \(node.url),"); do
                ! said=$(etcdctl member add \(quoting: node.name) --peer-urls=\(quoting: node.url) --learner 2>&1) || break
                case $said in
                *'unhealthy cluster'*) [ "$(date +%s)" -lt "$deadline" ] ;;
                *) false ;;
                esac || { printf '%s\\n' "$said"; exit 1; }
                sleep 0.2
            done
            members=$(etcdctl member list | awk -F ', ' -v name=\(quoting: node.name) -v url=\(quoting: node.url) '
                { printf "%s%s=%s", separator, ($4 == url ? name : $3), $4; separator = "," }')
            keep \(file)
            printf '%s\\n' "# Written by Drover. Read only while the data directory is empty." \
                "ETCD_INITIAL_CLUSTER=$members" ETCD_INITIAL_CLUSTER_TOKEN=\(quoting: token) \
                ETCD_INITIAL_CLUSTER_STATE=existing >\(file).drover
            sync -- \(file).drover
            mv -fT -- \(file).drover \(file)
            """
    }
}
