public import Engine
import Inventory

extension Recovery {
    /// The guards.
    ///
    /// - Returns: what must be said: the name of the cluster and its system identifier; nil when the old cluster is had
    ///   back, or when nothing is to be done.
    /// - Throws: `Refusal` with everything that forbids it.
    public func confirmation() throws -> Confirmation? {
        if let refusal = Refusal(all: refusals) { throw refusal }
        if request.aborts || isOver { return nil }
        return Confirmation(name: configuration.name, identity: identity)
    }

    private var refusals: [Refusal] {
        if configuration.existingEtcd != nil {
            return [
                Refusal(
                    "the cluster is kept in an etcd that there was before, and what that knows of the old leader is not "
                        + "deleted by a recovery yet",
                    remedies: ["restore beside the cluster: `drover backup restore`"])
            ]
        }
        if request.aborts { return abortRefusals }
        if isOver { return [] }
        guard let underway else {
            if request.target == nil {
                return [
                    Refusal(
                        "no recovery is under way", remedies: ["say to where: --target-time, or another target"])
                ]
            }
            return clusterRefusals + repositoryRefusals + courseRefusals
        }
        if progress["aborting"] != nil {
            return [
                Refusal(
                    "the recovery to \(underway.target.words) is being given up",
                    remedies: ["end that first: the same with --abort"])
            ]
        }
        if isFinal, let target = request.target, target.text != underway.target.text {
            return [
                Refusal(
                    "the recovery to \(underway.target.words) is final already, and not yet at its end",
                    remedies: ["end it first: the same with --promote and no target", "then begin another one"])
            ]
        }
        if isFinal, !request.promotes {
            return [
                Refusal(
                    "the recovery to \(underway.target.words) is final already", remedies: ["end it: say --promote"])
            ]
        }
        return needsCourse ? repositoryRefusals + courseRefusals : []
    }

    private var abortRefusals: [Refusal] {
        guard let underway else { return [] }
        if isFinal {
            return [
                Refusal(
                    "the recovery to \(underway.target.words) is final: another history has begun",
                    remedies: [
                        "end it: say --promote; then another recovery, with --target-timeline \(underway.timelines.last ?? 1), leads back"
                    ])
            ]
        }
        if underway.discards, configuration.members.contains(where: { marks($0)["aside"] != nil }) {
            return [Refusal("the old data was not kept: --discard-old-data", remedies: ["go on: say --promote"])]
        }
        return []
    }

    private var clusterRefusals: [Refusal] {
        var refusals: [Refusal] = []
        switch cluster.state {
        case .unknown, .running: break
        case .partial where identity != nil: break
        case .new, .partial:
            refusals.append(
                Refusal(
                    "there is no cluster '\(configuration.name)' that could be recovered",
                    remedies: ["apply deploy-cluster makes one"]))
        case .foreign(let found):
            refusals.append(
                Refusal(
                    "what was found is not the cluster '\(configuration.name)': \(found)",
                    remedies: ["correct the inventory, or move away what belongs to somebody else"]))
        }
        let guards = RemovalGuards(
            cluster: configuration.name, dataDirectory: configuration.postgres.dataDirectory,
            removal: .init(isProtected: false, postgres: true, etcd: false), deletes: request.discards,
            evenIfInUse: true)
        let found = RemovalFindings(of: configuration, given: cluster.observed)
        refusals += guards.mismatches(found) + guards.strayLinks(found)
        if !found.etcd.isHealthy {
            refusals.append(
                Refusal(
                    "etcd has no quorum, so no member could lead afterwards",
                    remedies: ["bring back those of its members that are down"]))
        }
        if cluster.membership.isPaused {
            refusals.append(Refusal("the cluster is paused", remedies: ["end that by `patronictl resume`"]))
        }
        let links = found.members.filter { $0.place?.isLink == true }.map(\.name)
        if !links.isEmpty {
            refusals.append(
                Refusal(
                    "\(configuration.postgres.dataDirectory) is a symbolic link on \(links.joined(separator: ", ")), which "
                        + "can be neither renamed nor restored over",
                    remedies: ["name the directory that it leads to: postgresql_data_dir"]))
        }
        if !request.discards { refusals += mountRefusals }
        return refusals
    }

    /// What is mounted somewhere cannot be renamed.
    private var mountRefusals: [Refusal] {
        let mounts = configuration.members.flatMap { node in
            places(on: node.host).filter(\.isMountPoint).map { (path: $0.path, member: node.name) }
        }
        return Dictionary(grouping: mounts, by: \.path).sorted { $0.key < $1.key }.map { path, mounts in
            let kind = path == configuration.postgres.dataDirectory ? "" : ", where a tablespace or the log is,"
            return Refusal(
                "\(path)\(kind) is a mount point on \(mounts.map(\.member).joined(separator: ", ")), which cannot be renamed "
                    + "to keep the old data", remedies: ["if that is not needed, say --discard-old-data"])
        }
    }

    var repositoryRefusals: [Refusal] {
        guard let backups = configuration.backups else {
            if configuration.walg != nil { return [configuration.notByWALG("a recovery")] }
            return [
                Refusal(
                    "the inventory wants no backups of the cluster '\(configuration.name)'",
                    remedies: ["only from backups can be recovered: pgbackrest_install"])
            ]
        }
        let told = cluster.backupSightings.told
        let hasContents = archive.map { (cluster.observed[host.host].ifKnown($0) ?? nil) != nil } ?? false
        guard let stanza = told?.stanza, hasContents else {
            return [
                Refusal(
                    "the repository of '\(backups.stanza)' does not answer \(told?.stanza == nil ? "" : "\(host.name)")",
                    remedies: ["`pgbackrest --stanza=\(backups.stanza) info` on \(host.name), as postgres, tells why"])
            ]
        }
        if let theirs = stanza.db.last?.systemIdentifier, let identity, "\(theirs)" != identity {
            return [
                Refusal(
                    "the repository has backups of another cluster under the name '\(stanza.name)': of the database system "
                        + "\(theirs), and this one has \(identity)", remedies: ["name the right one: pgbackrest_stanza"]
                )
            ]
        }
        if stanza.backup.isEmpty {
            return [
                Refusal("there is no backup of '\(stanza.name)'", remedies: ["without one nothing can be recovered"])
            ]
        }
        return []
    }

    private var courseRefusals: [Refusal] {
        guard let target = request.target else { return [] }
        do {
            guard let course = try course(to: target) else { return [] }
            return underway == nil ? room(for: course.backup) : []
        } catch let refusal as Refusal {
            return [refusal]
        } catch {
            return []
        }
    }

    private func room(for backup: PgBackRestInfo.Backup) -> [Refusal] {
        let growth = GrowthQuestions(configuration: configuration)
        return configuration.members.compactMap { node in
            let facts = cluster.observed[node.host]
            guard let fitness = facts.ifKnown(growth.leaderFitness) else { return nil }
            let own = request.discards ? facts.ifKnown(growth.capacity)?.size ?? 0 : 0
            return RecoveryGround.room(
                on: node.name, free: fitness.free, reused: own, database: backup.info.size, discards: request.discards)
        }
    }
}

extension RecoveryGround {
    /// Whether a copy of the database has room, beside the old data unless that is given up.
    ///
    /// - Parameters:
    ///   - free: bytes that nobody has.
    ///   - reused: bytes that the old data leaves.
    ///   - database: bytes of the database in the backup.
    static func room(on name: String, free: Int, reused: Int, database: Int, discards: Bool) -> Refusal? {
        let needed = database / 10 * 11
        if free + reused >= needed { return nil }
        return Refusal(
            "\(name) has \(free / 1_048_576) MB free\(discards ? " and \(reused / 1_048_576) MB of old data" : ""), and the "
                + "database with a tenth more takes \(needed / 1_048_576) MB",
            remedies: discards ? ["make room"] : ["make room, or give the old data up: --discard-old-data"])
    }
}
