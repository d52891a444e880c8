public import Engine
import Secrets
import SystemResources

/// Ensures that a cluster follows no other one. Patroni then lets its leader be written to.
struct Independence: Resource {
    /// The leader's REST API.
    let api: PatroniAPI

    var name: String { "independence of other clusters" }

    var questions: [any Fact] { [configuration] }

    private var configuration: HTTPResponse { api.question("/config") }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let source = try facts[configuration].json(JSONValue.self)?.standbyCluster else { return [] }
        let order = api.send(
            #"{"standby_cluster":null}"#, to: "/config", by: "PATCH", "--show-error --fail-with-body")
        return [
            Change(
                "follow \(source) no more: this becomes a cluster of its own, for good",
                script: order, isDisturbing: true)
        ]
    }
}

extension JSONValue {
    /// The cluster that is followed, as `HOST:PORT`, by the shared configuration of Patroni; nil when none is.
    var standbyCluster: String? {
        guard let source = self["standby_cluster"], case .object = source else { return nil }
        return "\(source["host"]?.scalar ?? "")" + ":\(source["port"]?.scalar ?? "5432")"
    }
}

extension Cluster {
    /// What makes a cluster that followed another one a cluster of its own, where the inventory names none to follow.
    @ResourceBuilder
    public var independence: [any Resource] {
        if configuration.patroni.standby == nil {
            Independence(api: api(leader))
            acceptsWrites
        }
    }

    private var acceptsWrites: Condition {
        let catalog = catalog
        let test = catalog.script(running: "SELECT 'leads' WHERE NOT pg_is_in_recovery();")
        return Condition(
            "PostgreSQL accepts writes", signs: [catalog], test: "{ \(test)} | grep -q leads",
            unit: "patroni.service", timeout: 60 + 2 * configuration.patroni.loopWait
        ) { facts in
            let answer = try facts[catalog]
            return answer.isRunning && !answer.isInRecovery
        }
    }

    /// Lets no cluster that is written to become one that follows another: its data would be replaced.
    ///
    /// - Throws: `Refusal` when it would.
    func refuseToBecomeStandby() throws {
        guard let source = configuration.patroni.standby, let leader = membership.leader, leader.role == "leader" else {
            return
        }
        throw Refusal(
            "the cluster '\(configuration.name)' is one of its own, led by \(leader.name): to follow \(source.words) it would "
                + "have to give up its data",
            remedies: [
                "take patroni_standby_cluster out of the inventory",
                "or, if the data is not needed, remove the cluster, and deploy it anew",
            ])
    }
}
