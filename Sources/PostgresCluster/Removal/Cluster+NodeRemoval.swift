import Diagnostics
public import Engine
public import Inventory
import Secrets
import SystemResources

extension ClusterModel {
    /// What the removal of a member asks of a host.
    public func questionsBeforeRemovingNode(of host: Host) -> [any Fact] {
        let cluster = Cluster(self, given: Observations())
        var questions = questions(of: host) + configuration.removalQuestions(of: host)
        for node in configuration.members where node.name == host.name {
            questions.append(cluster.sharedConfigurationQuestion(at: node))
        }
        return questions
    }

    /// Checks that a host is a member, and one of several.
    ///
    /// - Parameter leavesEtcd: whether it must be a member of etcd too.
    /// - Throws: `Diagnostic` when it is not; `Refusal` when it is the last.
    public func requireRemovable(member name: String, leavesEtcd: Bool) throws {
        try require(name, among: configuration.members, in: "'master' or 'replica'")
        if leavesEtcd { try require(name, among: configuration.etcd, in: "'etcd_cluster'") }
        if configuration.members.count == 1 {
            throw Refusal("\(name) is the last member", remedies: ["to give up the cluster, apply remove-cluster"])
        }
        let downstream = configuration.downstream(of: name)
        if !downstream.isEmpty {
            throw Refusal(
                "\(downstream.joined(separator: ", ")) replicate from \(name)",
                remedies: [
                    "let them replicate from another member, or from the leader: change patroni_replicatefrom, and apply "
                        + "deploy-cluster"
                ])
        }
        if leavesEtcd, configuration.etcd.count == 1 {
            throw Refusal("\(name) is the last member of etcd", remedies: ["leave it in etcd: without --etcd"])
        }
    }

    func require(_ name: String, among nodes: [Node], in group: String) throws {
        let names = nodes.map(\.name)
        if names.contains(name) { return }
        throw Diagnostic(
            "the host '\(name)' is not in the group \(group)",
            remedy: Suggestion.remedy(for: name, among: names)
                ?? (names.isEmpty ? "it has no hosts" : "it has \(names.joined(separator: ", "))"))
    }
}

extension Cluster {
    /// The guards of the removal of a member.
    ///
    /// - Throws: `Refusal` with everything that forbids it.
    public func refuseUnlessRemovable(member name: String, leavesEtcd: Bool) throws {
        let guards = RemovalGuards(
            cluster: configuration.name, dataDirectory: configuration.postgres.dataDirectory,
            removal: .init(isProtected: false, postgres: true, etcd: false), deletes: false, evenIfInUse: true)
        let found = NodeFindings(of: self, without: name, leavesEtcd: leavesEtcd)
        let remains = RemovalFindings(of: configuration, given: observed)
        let refusals =
            guards.mismatches(remains) + guards.strayLinks(remains)
            + found.refusals(without: name, scope: configuration.name)
        if let refusal = Refusal(all: refusals) { throw refusal }
    }

    /// The cluster without a member, and without it in etcd too if it leaves that.
    public func without(member name: String, leavesEtcd: Bool) -> Cluster {
        without(name, as: leavesEtcd ? [.member, .etcd] : [.member])
    }

    /// The members in the order in which their configuration is changed: the leader last.
    public var membersLeaderLast: [Host] { (replicas + [leader]).map(\.host) }

    /// A balancer that leads no clients to a member any more.
    @ResourceBuilder
    public func haproxy(on host: Host, without name: String) throws -> [any Resource] {
        if balancer(host) != nil {
            DrainedServer(
                server: name, view: HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics))
            try haproxy(on: host)
        }
    }

    /// A member that nobody uses any more, and that does not run.
    @ResourceBuilder
    public func drainedMember(on host: Host) -> [any Resource] {
        Drained(
            unit: "pgbouncer.service", isBusy: clientsRemain, ending: "systemctl kill --signal=TERM pgbouncer.service")
        StoppedService("pgbouncer")
        stopped(on: host)
    }

    /// The clients of the pooler, and the connections from elsewhere. Who is about to log in is among these alone: neither
    /// PgBouncer's list (1.18) nor `pg_stat_activity` has it.
    private var clientsRemain: ShellText {
        """
        { \(catalog.poolerScript(port: configuration.pooler.port, ["SHOW CLIENTS"])) | awk -F '|' '$3 != "pgbouncer"'
        ss -Htn state established '( sport = :\(configuration.pooler.port) or sport = :\(configuration.postgres.port) )' \
            and not dst 127.0.0.0/8 and not dst '[::1]'
        } | grep -q .
        """
    }

    /// What the leader must no longer know of a member.
    @ResourceBuilder
    public func forgotten(member name: String) -> [any Resource] {
        let api = api(leader)
        let members = PatroniStatus.cluster(at: api)
        Condition(
            "\(name) is no longer a member", signs: [members],
            test: "members=$(\(api.get("/cluster", "--fail --max-time 2"))) && "
                + "! echo \"$members\" | grep -qF '\"name\": \"\(inSingleQuotes: name)\"'",
            unit: "patroni.service", timeout: configuration.patroni.ttl + 60
        ) { facts in
            guard let cluster = try facts[members].patroni(PatroniStatus.Cluster.self) else { return false }
            return !cluster.members.contains { $0.name == name }
        }
        NoReplicationSlot(member: name, catalog: catalog, api: api)
    }

    /// The member of etcd that takes another one out.
    public func etcdSpeaker(except name: String) -> Node {
        let others = configuration.etcd.filter { $0.name != name }
        let answering = RemovalFindings(of: configuration, given: observed).etcd.answering.map(\.name)
        return others.first { answering.contains($0.name) } ?? others.first ?? configuration.etcd.first ?? leader
    }

    /// What the others in etcd must no longer know of a member.
    @ResourceBuilder
    public func etcd(without name: String) -> [any Resource] {
        let speaker = etcdSpeaker(except: name)
        for node in configuration.etcd where node.name == name && speaker.name != name {
            NoEtcdMember(
                node: Peer(node), peerURL: configuration.endpoint(of: node).peerURL,
                speaker: configuration.endpoint(of: speaker))
            etcdHasQuorum(at: configuration.endpoint(of: speaker))
            let left = ClusterQuestions(configuration: configuration).etcdMembers(given: observed)
                .filter { !$0.peerURLs.contains(configuration.endpoint(of: node).peerURL) }.count
            if left > 0, left.isMultiple(of: 2) {
                Remark(
                    "etcd is left with \(left) members, which bear the loss of no more than \(left - 1) would: put another host "
                        + "into 'etcd_cluster' in place of \(name), and apply deploy-cluster, or remove one more")
            }
        }
    }

    /// A host that was a member: without data and files, and, if it leaves etcd, without its part in that.
    @ResourceBuilder
    public func formerMember(on host: Host, leavesEtcd: Bool) throws -> [any Resource] {
        if leavesEtcd {
            StoppedService("etcd")
            SetAside(directory: configuration.etcdDirectory, user: "etcd", deletes: false)
            for path in etcdFiles { try Absent(path) }
        } else if etcdNode(host) != nil {
            Remark("\(host.name) stays a member of etcd; --etcd takes it out of that too")
        }
        SetAside(directory: configuration.postgres.dataDirectory, deletes: false)
        withoutBackups(on: host)
        let keepsPart = balancer(host) != nil || (!leavesEtcd && etcdNode(host) != nil)
        try withoutExporters(on: host, keepsHost: keepsPart)
        for path in memberFiles { try Absent(path) }
        if !keepsPart { try withoutTraces() }
    }

    /// A host that has no part in the cluster any more, without what every host of it has.
    @ResourceBuilder
    func withoutTraces() throws -> [any Resource] {
        for path in [Cluster.sharedFile] + authorityFiles { try Absent(path) }
        // Whatever comes next to this host would not be reached.
        if configuration.system.firewall != nil { NoNftablesTable(Cluster.packetTable) }
    }

    /// Lets the hosts that a cluster is left with let in nobody but each other.
    public var filteringLeft: Play {
        Play(
            "Let the packet filters forget it", on: configuration.system.firewall == nil ? [] : configuration.hosts
        ) { packetFilter(on: $0) }
    }
}
