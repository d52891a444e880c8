public import Engine
import Inventory
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
            Play("Write down what is recovered", on: members) { _ in beginning },
            Play("Stop the backups", on: intent == nil || isBackedUp ? [] : cluster.backupKeepers) {
                cluster.withoutBackups(on: $0)
            },
            Play("Get the log into the archive", on: recovering) { _ in
                step(\.flushing, "archive what was written up to now") { $0["flushed"] != nil }
            },
            Play("Stop the replicas", on: intent == nil || isBackedUp ? [] : others) { stopped(on: $0) },
            Play("Stop the leader", on: isFinal ? [] : recovering) { stopped(on: $0) },
            Play("Set the data aside", on: members) { settingAside(on: $0) },
            Play("Recover", on: recovering) { _ in recovery },
            Play("Begin a new history", on: leading) { _ in
                step(\.promote, "end the recovery, as the beginning of a new timeline") { $0["promoted"] != nil }
            },
            Play("Forget the old leader in etcd", on: leading) { forgetting(on: $0) },
            Play("Let it lead", on: leading) {
                Together(
                    "start Patroni on the recovered database", isAhead: !isLaid, parts: try cluster.patroni(on: $0))
            },
            Play("Set roles and passwords", on: leading) { _ in
                Together(
                    "set the passwords, roles and databases of the inventory", isAhead: !isLaid,
                    parts: cluster.catalogue)
            },
            Play("Make a new backup", on: leading.isEmpty ? [] : maker.map { [$0] } ?? []) { _ in backup },
            Play("Make the replicas anew", on: following) {
                Together(
                    "clone it, and stream the new timeline", isAhead: !isBackedUp, parts: try cluster.newMember(on: $0))
            },
            Play(
                "Let timers make backups",
                on: leading.isEmpty || request.leavesArchivingOff ? [] : cluster.backupKeepers
            ) {
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
            return node.map { marks($0).current != nil && marks($0)["returned"] == nil } ?? true
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
