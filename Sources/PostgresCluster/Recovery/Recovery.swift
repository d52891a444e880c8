import Engine
import Inventory
import SystemResources

/// What is asked of a recovery.
public struct RecoveryRequest: Sendable {
    /// Nil for that of the recovery which is under way.
    public var target: RecoveryTarget?
    /// Whether what was recovered is taken.
    public var promotes: Bool
    /// Whether the old cluster shall be had back.
    public var aborts: Bool
    /// Whether the old data is given up at once.
    public var discards: Bool
    /// SQL whose result is shown before anything is final.
    public var inspection: String?
    /// The database in which that is run.
    public var database: String
    /// Whether the cluster that is taken archives nothing until deploy-cluster is applied.
    public var leavesArchivingOff: Bool
    /// The name of a recovery that is begun, and of this time that it is inspected.
    public var mark: String

    public init(
        target: RecoveryTarget?, promotes: Bool, aborts: Bool, discards: Bool, inspection: String?,
        in database: String = "postgres", leavesArchivingOff: Bool = false,
        mark: String
    ) {
        self.target = target
        self.promotes = promotes
        self.aborts = aborts
        self.discards = discards
        self.inspection = inspection
        self.database = database
        self.leavesArchivingOff = leavesArchivingOff
        self.mark = mark
    }
}

/// A recovery of a cluster: what is asked of it, and how far it is.
public struct Recovery: Sendable {
    private(set) var cluster: Cluster
    let request: RecoveryRequest
    /// The member that recovers beside the cluster; nil for a recovery of the cluster itself.
    private let place: Node?

    public init(of cluster: Cluster, as request: RecoveryRequest) {
        self.init(of: cluster, as: request, on: nil)
    }

    init(of cluster: Cluster, as request: RecoveryRequest, on place: Node?) {
        self.cluster = cluster
        self.cluster.leavesArchivingOff = request.leavesArchivingOff
        self.request = request
        self.place = place
    }

    /// What there is of a recovery, with nothing asked of it.
    init(of cluster: Cluster) {
        self.init(
            of: cluster,
            as: .init(target: nil, promotes: false, aborts: false, discards: false, inspection: nil, mark: ""))
    }

    var configuration: ClusterConfiguration { cluster.configuration }
    var marker: RecoveryMarker { RecoveryMarker(configuration.name) }

    func marks(_ node: Node) -> RecoveryMarker.Answer { cluster.observed[node.host].ifKnown(marker) ?? .init() }

    /// The one that is under way: by the word of the member that recovers, or else of any.
    var underway: RecoveryIntent? {
        let intents = configuration.members.compactMap { node in
            marks(node).current.flatMap { RecoveryIntent($0) }.map { (node: node, intent: $0) }
        }
        return (intents.first { $0.node.name == $0.intent.host } ?? intents.first)?.intent
    }

    /// The last one that came to its end.
    var finished: RecoveryIntent? {
        configuration.members.compactMap { marks($0).finished.flatMap { RecoveryIntent($0) } }.max { $0.id < $1.id }
    }

    /// Whether there is nothing to do any more.
    var isOver: Bool {
        guard underway == nil, !request.aborts, let finished else { return underway == nil && request.aborts }
        return request.target == nil || request.target?.text == finished.target.text
    }

    /// The member that recovers: who leads when it begins. It has what has not changed, and is where clients are led to.
    var host: Node {
        if let place { return place }
        let name = (underway ?? (isOver ? finished : nil))?.host
        return configuration.members.first { $0.name == name } ?? cluster.leader
    }

    var others: [Node] { configuration.members.filter { $0.name != host.name } }

    /// How far it is on the member that recovers.
    var progress: RecoveryMarker.Answer { marks(host) }

    /// What is to be recovered, as far as that is known already.
    var intent: RecoveryIntent? {
        guard let underway else {
            guard let target = request.target, let course = try? course(to: target), !isOver else { return nil }
            let log = log
            return RecoveryIntent(
                id: request.mark, host: host.name, system: identity ?? "", target: target, backup: course.backup.label,
                timelines: course.timelines, discards: request.discards, end: log?.position, moment: log?.now)
        }
        guard let target = request.target, target.text != underway.target.text, !isFinal else { return underway }
        guard let course = forwardCourse ?? (try? course(to: target)) else { return nil }
        var intent = underway
        intent.target = target
        intent.backup = course.backup.label
        intent.timelines = course.timelines
        return intent
    }

    /// Whether it can no longer be undone.
    var isFinal: Bool { progress["promoting"] != nil }

    /// Whether the target that is asked for now is reached by going on.
    var isForward: Bool {
        guard let underway, let target = request.target else { return true }
        return target.text == underway.target.text || forwardCourse != nil
    }

    /// From the same backup.
    private var forwardCourse: RecoveryCourse? {
        guard let underway, let target = request.target, target.isForward(of: underway.target) else { return nil }
        let same = RecoveryTarget(
            target.point, isExclusive: target.isExclusive, timeline: target.timeline, backup: underway.backup)
        return try? course(to: same)
    }

    /// By the word of who leads.
    var log: LeaderLog.End? {
        configuration.members.lazy.compactMap { cluster.observed[$0.host].ifKnown(leaderLog) ?? nil }.first
    }

    var leaderLog: LeaderLog { LeaderLog(catalog: PostgresCatalog(of: configuration, databases: [])) }

    /// The system identifier.
    var identity: String? {
        underway?.system ?? RemovalFindings(of: configuration, given: cluster.observed).identity
    }

    /// Whether the fresh backup has been made with which the recovery ends.
    var isBackedUp: Bool {
        guard let intent = underway, let maker = maker else { return false }
        return cluster.observed[maker].ifKnown(ErrandMark(Recovery.errand)) == intent.id
    }

    static let errand = "recovery-backup"

    /// Where that backup is made.
    var maker: Host? { configuration.backups.map { $0.host?.host ?? host.host } }

    var server: RecoveryServer {
        RecoveryServer(
            postgres: configuration.postgres, superuser: configuration.patroni.superuser.name,
            stanza: configuration.backups?.stanza ?? configuration.name,
            directory: configuration.postgres.dataDirectory)
    }

    func scripts(_ intent: RecoveryIntent) -> RecoveryScripts {
        RecoveryScripts(
            server: server, catalog: PostgresCatalog(of: configuration, databases: []), course: intent)
    }
}
