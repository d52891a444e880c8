public import Drover
import Inventory
import Secrets
import SystemResources

extension Recovery {
    /// What is done, from the clients' cluster to the recovered one. Every play is always there, so that a run that goes on
    /// finds its place; what a play has to do follows from what the hosts remember.
    public func plays() -> [Play] { request.aborts ? abortingPlays() : recoveringPlays() }

    private func recoveringPlays() -> [Play] {
        let intent = isOver ? nil : intent
        let promotes = request.promotes || isFinal
        let (host, others) = (host.host, others.map(\.host))
        let members = intent == nil || isFinal ? [] : configuration.members.map(\.host)
        let recovering = intent == nil ? [] : [host]
        let following = intent == nil || !promotes ? [] : others
        let leading = promotes ? recovering : []
        let isLaid = progress["forgotten"] != nil
        let isBackedUp = isBackedUp
        return [
            Play("Look at what there is", on: [host]) { _ in
                Examination(name: "what can be recovered", questions: searches, remarks: remarks)
            },
            Play("Write down what is recovered", on: members) { _ in for step in beginning { step } },
            Play("Stop the backups", on: intent == nil || isBackedUp ? [] : cluster.backupKeepers) {
                cluster.withoutBackups(on: $0)
            },
            Play("Get the log into the archive", on: recovering) { _ in
                step(\.flushing, "archive what was written up to now") { $0["flushed"] != nil }
            },
            Play("Stop the replicas", on: intent == nil || isBackedUp ? [] : others) { stopped(on: $0) },
            Play("Stop the leader", on: isFinal ? [] : recovering) { stopped(on: $0) },
            Play("Set the data aside", on: members) { settingAside(on: $0) },
            Play("Recover", on: recovering) { _ in for step in recovery { step } },
            Play("Begin a new history", on: leading) { _ in
                step(\.promote, "end the recovery, as the beginning of a new timeline") { $0["promoted"] != nil }
            },
            Play("Forget the old leader in etcd", on: leading) { _ in forgetting },
            Play("Let it lead", on: leading) {
                Together(
                    "start Patroni on the recovered database", isAhead: !isLaid, parts: try cluster.patroni(on: $0))
            },
            Play("Set roles and passwords", on: leading) { _ in
                Together(
                    "set the passwords, roles, databases and slots of the inventory", isAhead: !isLaid,
                    parts: cluster.catalogue)
            },
            Play("Make a new backup", on: leading.isEmpty ? [] : maker.map { [$0] } ?? []) { _ in backup },
            Play("Make the replicas anew", on: following) {
                Together(
                    "clone it, and stream the new timeline", isAhead: !isBackedUp, parts: try cluster.newMember(on: $0))
            },
            Play("Let timers make backups", on: leading.isEmpty ? [] : cluster.backupKeepers) {
                Together("let timers make backups again", isAhead: !isBackedUp, parts: try cluster.backupTimers(on: $0))
            },
            Play("Prove that clients are served", on: leading.isEmpty ? [] : configuration.balancers.map(\.host)) {
                Together("wait until clients are led to it", isAhead: !isBackedUp, parts: cluster.service(of: $0))
            },
            Play("End it on the replicas", on: following) { _ in finishing },
            Play("End it", on: leading) { _ in finishing },
        ]
    }

    private func abortingPlays() -> [Play] {
        let intent = underway
        let (host, others) = (host.host, others.map(\.host))
        let (members, recovering) = intent == nil ? ([], []) : (configuration.members.map(\.host), [host])
        let following = intent == nil ? [] : others
        @Sendable func isAhead(_ name: String) -> Bool {
            let node = configuration.members.first { $0.name == name }
            return node.map { marks($0)["returned"] == nil } ?? true
        }
        return [
            Play("Look at what there is", on: [host]) { _ in
                Examination(
                    name: "what can be given up", remarks: intent == nil ? ["no recovery is under way"] : [])
            },
            Play("Give the recovered data up", on: members) { _ in
                step(\.bringBack, "give what was recovered up, and bring the old data back") {
                    $0.current == nil || $0["returned"] != nil
                }
            },
            Play("Let the old leader lead", on: recovering) {
                Together("start Patroni on the old data", isAhead: isAhead($0.name), parts: try cluster.patroni(on: $0))
            },
            Play("Start the replicas", on: following) {
                Together("start Patroni on the old data", isAhead: isAhead($0.name), parts: try cluster.patroni(on: $0))
            },
            Play("Let timers make backups", on: intent == nil ? [] : cluster.backupKeepers) {
                try cluster.backupTimers(on: $0)
            },
            Play("End it on the replicas", on: following) { _ in ending },
            Play("End it", on: recovering) { _ in ending },
        ]
    }
}

extension Recovery {
    private func step(
        _ script: KeyPath<RecoveryScripts, String>, _ summary: String,
        isDone: @escaping @Sendable (RecoveryMarker.Answer) -> Bool
    ) -> [any Resource] {
        guard let intent = request.aborts ? underway : intent else { return [] }
        return [MarkedStep(summary, marker, script: .init(scripts(intent)[keyPath: script]), isDone: isDone)]
    }

    /// What people should know before they approve it.
    private var remarks: [String] {
        if isOver, let finished {
            return [
                "the cluster was recovered to \(finished.target.words); to do that once more, remove \(marker.path).done on "
                    + "its members"
            ]
        }
        if let target = request.target, needsCourse { return (try? course(to: target))?.sentences ?? [] }
        guard let underway else { return [] }
        if isFinal { return ["the recovery to \(underway.target.words) is final, and not yet at its end"] }
        let isThere = progress["reached"] == underway.target.text
        return [
            "the recovery to \(underway.target.words) is under way since \(underway.id)"
                + (isThere && !request.promotes ? ", and is there: --promote takes it, --abort gives it up" : "")
        ]
    }

    private var beginning: [any Resource] {
        guard let intent else { return [] }
        let script = scripts(intent).begin(restoresAnew: !isForward)
        return [
            MarkedStep("write down that it recovers to \(intent.target.words)", marker, script: .init(script)) {
                intent.stands(in: $0)
            }
        ]
    }

    /// What was restored must not be taken for what is to be stopped.
    @ResourceBuilder
    private func stopped(on host: Host) -> [any Resource] {
        let node = configuration.members.first { $0.name == host.name }
        if node.map({ marks($0)["aside"] == nil }) ?? true {
            cluster.stopped(on: host)
        } else {
            StoppedService("patroni")
        }
    }

    private func settingAside(on host: Host) -> [any Resource] {
        guard let intent else { return [] }
        let isHost = host.name == intent.host
        let directory = configuration.postgres.dataDirectory
        let summary =
            intent.discards
            ? (isHost ? "let the backup be restored over \(directory)" : "delete \(directory) for ever")
            : "set aside \(directory) as \(directory).removed-\(intent.id)"
        return [
            MarkedStep(summary, marker, script: .init(scripts(intent).setAside(isHost: isHost))) {
                $0["aside"] == intent.id
            }
        ]
    }

    private var recovery: [any Resource] {
        guard let intent else { return [] }
        let scripts = scripts(intent)
        var steps: [any Resource] = [
            MarkedStep("restore the backup \(intent.backup)", marker, script: .init(scripts.restore)) {
                $0["promoting"] != nil || $0["restored"] == intent.backup
            },
            Recovering(
                intent: intent, marker: marker,
                script: .init(scripts.recover + "\n" + (request.promotes ? ":" : scripts.invite))),
        ]
        if let sql = request.inspection {
            let mark = request.mark
            steps.append(
                MarkedStep(
                    "show: \(sql)", marker, script: .init(scripts.inspect(sql, in: request.database, mark: mark))
                ) {
                    $0["promoting"] != nil || $0["inspected"] == mark
                })
        }
        return steps
    }

    private var forgetting: [any Resource] {
        guard let intent else { return [] }
        let script = scripts(intent).forget(path: configuration.path, etcd: configuration.etcd.map(\.address))
        return [
            MarkedStep("delete what etcd knows of the old leader", marker, script: .init(script)) {
                $0["forgotten"] != nil
            }
        ]
    }

    private var backup: [any Resource] {
        guard let intent, let info = cluster.info else { return [] }
        let script = info.script("--log-level-console=info", "check") + "\n" + BackupScript.order(.full, as: info.user)
        return [
            Errand(
                errand: Recovery.errand, mark: intent.id, summary: "check the archive, and make a full backup",
                script: .init(script))
        ]
    }

    private var finishing: [any Resource] {
        guard let intent else { return [] }
        return step(\.finish, "end the recovery") { $0.current == nil && $0.finished?["id"] == intent.id }
    }

    private var ending: [any Resource] { step(\.forgetAttempt, "forget the recovery") { $0.current == nil } }
}
