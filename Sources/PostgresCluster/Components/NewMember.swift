public import Engine
public import Inventory
import Secrets
import SystemResources

extension Cluster {
    /// A member that the cluster gains: it is cloned, and is done when it is so close to the leader that it may serve.
    @ResourceBuilder
    public func newMember(on host: Host) throws -> [any Resource] {
        if let node = member(host), let megabytes = leaderSize, isNew(node) {
            Examination(
                name: "what is cloned", remarks: ["about \(megabytes) MB will be cloned"])
        }
        try patroni(on: host)
        if member(host) != nil { hasCaughtUp() }
        try pgbouncer(on: host)
    }

    /// Holds when the member that begins a new cluster leads it. Who was started before would begin one too, should that
    /// one fail.
    var newClusterIsLed: Condition {
        let question = api(leader).question("/leader")
        let status = api(leader).get("/leader", "--max-time 2 --output /dev/null --write-out '%{http_code}'")
        return Condition(
            "\(leader.name) leads the new cluster", signs: [question],
            test: "answer=$(\(status)) && heard=$(date +%s); [ \"$answer\" = 200 ]",
            unit: nil, failure: Self.silence, timeout: 3600,
            advice: "The Patroni of \(leader.name) has not answered for 30 seconds."
        ) { facts in
            try facts[question].status == 200
        }
    }

    /// Shell text that succeeds when another host's Patroni has not answered for 30 seconds. `$heard` is the time of its last
    /// answer.
    private static let silence: ShellText = "[ \"$(date +%s)\" -ge $(( ${heard:=$(date +%s)} + 30 )) ]"

    /// Holds when the upstream of a cascading replica runs; nil unless this run clones the upstream, too.
    ///
    /// A clone has no WAL from before its backup. If the backup of the upstream began after that of the replica, the replica
    /// would request WAL that the upstream never had.
    func upstreamRuns(for node: Node) -> Condition? {
        let name = configuration.upstream(of: node.name)
        guard let upstream = firstNewcomers.first(where: { $0.name == name }) else { return nil }
        let question = api(upstream).question("/health")
        let health = api(upstream).get("/health", "--max-time 2 --write-out '%{http_code}'")
        return Condition(
            "\(upstream.name) runs, from which \(node.name) streams", signs: [question],
            test: "health=$(\(health)) && heard=$(date +%s); case $health in *200) ;; *) false ;; esac", unit: nil,
            failure: Self.silence + #" || case $health in *'"state": "'*failed'"'*) true ;; *) false ;; esac"#,
            timeout: 3600,
            advice: "The Patroni of \(upstream.name) has failed, or has not answered for 30 seconds."
        ) { facts in
            try facts[question].status == 200
        }
    }

    /// Holds when a replica streams the leader's timeline and has replayed nearly all of it.
    private func hasCaughtUp() -> Condition {
        let catalog = catalog
        let timeline = membership.leader?.timeline ?? 0
        let test = catalog.script(
            running: """
                SELECT 'near' WHERE NOT pg_is_in_recovery() OR EXISTS (SELECT FROM pg_stat_wal_receiver
                    WHERE status = 'streaming' AND received_tli >= \(timeline) AND \(PostgresCatalog.isNear));
                """)
        return Condition(
            "PostgreSQL is close to the leader", signs: [catalog], test: "{ \(test)} | grep -q near",
            unit: "patroni.service", timeout: 3600
        ) { facts in
            let answer = try facts[catalog]
            return answer.isRunning
                && (!answer.isInRecovery || (answer.hasCaughtUp && answer.timeline ?? 0 >= timeline))
        }
    }

    /// Wakes those from which a new member may stream, once, as soon as they know it. They make its slot when their next turn
    /// comes, up to `loop_wait` seconds later; until then it would be cloned but not stream.
    func announcement(of node: Node) -> ShellText {
        let upstream = configuration.upstream(of: node.name)
        let sources = [leader] + configuration.members.filter { $0.name == upstream && $0.name != leader.name }
        return """
            [ -n "${announced-}" ] || {
                \(api(leader).get("/cluster", "--max-time 2")) | grep -qF \(quoting: "\"name\": \"\(node.name)\"") && {
                    announced=yes; \(sources.map(waking).joined(separator: "; "))
                }
            };
            """
    }

    /// How much of the database of a member that is being cloned is there.
    func size(of node: Node) -> ShellText? {
        guard isNew(node) else { return nil }
        let directory = ShellText.quoting(configuration.postgres.dataDirectory)
        return "du -s --block-size=1M \(directory) 2>/dev/null | { read -r size _; echo \"${size:-0} MB are there\"; }"
    }

    func isNew(_ node: Node) -> Bool { newcomers.contains { $0.name == node.name } }

    /// In megabytes; nil while it is not known.
    private var leaderSize: Int? {
        let capacity = observed[leader.host].ifKnown(GrowthQuestions(configuration: configuration).capacity)
        return capacity.map { $0.size / 1_048_576 }
    }

    /// What to do about a clone that failed. Patroni has removed what it had copied, and begins anew by itself, unless it was
    /// ended in the middle: then it does not know whose the data is.
    func advice(for node: Node) -> String? {
        guard isNew(node) else { return nil }
        return
            "Mend the cause and run this again: Patroni begins the clone anew. When it says 'consider doing reinitialize', "
            + "begin it by `patronictl -c /etc/patroni/config.yml reinit \(configuration.name) \(node.name)`."
    }
}
