import Engine
import Inventory
import Secrets
import SystemResources

/// What the plays of a recovery are made of.
extension Recovery {
    func step(
        _ script: KeyPath<RecoveryScripts, ShellText>, _ summary: String,
        isDone: @escaping @Sendable (RecoveryMarker.Answer) -> Bool
    ) -> [any Resource] {
        guard let intent = request.aborts ? underway : intent else { return [] }
        return [MarkedStep(summary, marker, script: scripts(intent)[keyPath: script], isDone: isDone)]
    }

    /// What people should know before they approve it.
    var remarks: [String] {
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

    var beginning: [any Resource] {
        guard let intent else { return [] }
        let script = scripts(intent).begin(restoresAnew: !isForward)
        return [
            MarkedStep("write down that it recovers to \(intent.target.words)", marker, script: script) {
                intent.stands(in: $0)
            }
        ]
    }

    /// What was restored must not be taken for what is to be stopped.
    @ResourceBuilder
    func stopped(on host: Host) -> [any Resource] {
        let node = configuration.members.first { $0.name == host.name }
        if node.map({ marks($0)["aside"] == nil }) ?? true {
            cluster.stopped(on: host)
        } else {
            StoppedService("patroni")
        }
    }

    /// The data directory of a member, behind those of its log and its tablespaces.
    func places(on host: Host) -> [DataPlaces.Place] {
        let data = DataPlaces(path: configuration.postgres.dataDirectory)
        let found = cluster.observed[host].ifKnown(data)?.places ?? []
        return found.contains { $0.path == data.path } ? found : found + [.init(path: data.path)]
    }

    func settingAside(on host: Host) -> [any Resource] {
        guard let intent else { return [] }
        let isHost = host.name == intent.host
        let directories = places(on: host).map(\.path).joined(separator: ", ")
        let summary =
            intent.discards
            ? (isHost
                ? "let the backup be restored over \(directories)" : "delete what is in \(directories) for ever")
            : "set aside \(directories) as *.removed-\(intent.id)"
        return [
            MarkedStep(summary, marker, script: scripts(intent).setAside(isHost: isHost)) {
                $0["aside"] == intent.id
            }
        ]
    }

    var recovery: [any Resource] {
        guard let intent else { return [] }
        let scripts = scripts(intent)
        var steps: [any Resource] = [
            MarkedStep("restore the backup \(intent.backup)", marker, script: scripts.restore) {
                $0["promoting"] != nil || $0["restored"] == intent.backup
            },
            Recovering(
                intent: intent, marker: marker,
                script: "\(scripts.recover(restoring: scripts.restore))\n\(request.promotes ? ":" : scripts.invite)"),
        ]
        if let sql = request.inspection {
            let mark = request.mark
            steps.append(
                MarkedStep(
                    "show: \(sql)", marker, script: scripts.inspect(sql, in: request.database, mark: mark)
                ) {
                    $0["promoting"] != nil || $0["inspected"] == mark
                })
        }
        return steps
    }

    func forgetting(on host: Host) -> [any Resource] {
        guard let intent else { return [] }
        let script = scripts(intent).forget(
            path: configuration.path,
            etcd: configuration.etcd.map { configuration.endpoint(of: $0, as: cluster.etcdClient(on: host)) })
        return [
            MarkedStep("delete what etcd knows of the old leader", marker, script: script) {
                $0["forgotten"] != nil
            }
        ]
    }

    var backup: [any Resource] {
        guard let intent, let info = cluster.info else { return [] }
        if request.leavesArchivingOff {
            let text =
                "nothing is archived: the log is kept until the disk is full; apply deploy-cluster turns the archive on again, and "
                + "`drover backup now --type full` makes the backup that was left out"
            return [
                Errand(
                    errand: Recovery.errand, mark: intent.id, summary: "leave the archive off, and make no backup",
                    script: "\(ShellText.say)\nsay \(quoting: text)")
            ]
        }
        let script: ShellText =
            "\(info.script("--log-level-console=info", "check"))\n\(BackupScript.order(.full, as: info.user))"
        return [
            Errand(
                errand: Recovery.errand, mark: intent.id, summary: "check the archive, and make a full backup",
                script: script)
        ]
    }

    var finishing: [any Resource] {
        guard let intent else { return [] }
        return step(\.finish, "end the recovery") { $0.current == nil && $0.finished?["id"] == intent.id }
    }

    var ending: [any Resource] { step(\.forgetAttempt, "forget the recovery") { $0.current == nil } }
}
