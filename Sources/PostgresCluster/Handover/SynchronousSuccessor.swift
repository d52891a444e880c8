import Engine
import Secrets
import SystemResources

/// Ensures that a replica is synchronous before it takes over the lead: only then it surely has everything.
struct SynchronousSuccessor: Resource {
    let name: String
    let successor: String
    /// What the old leader says of the cluster.
    let view: HTTPResponse
    /// How many replicas there are.
    let replicas: Int
    /// The old leader's REST API.
    let api: PatroniAPI
    let isDone: HandoverSign
    /// Whether what was observed of it still holds. A member that was just restarted may have lost the role meanwhile.
    let isCertain: Bool
    /// In seconds.
    let timeout: Int

    var questions: [any Fact] { [view] + isDone.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try isDone.isSeen(in: facts) { return [] }
        if isCertain, SynchronousSuccessor.isSynchronous(successor, in: try facts[view]) { return [] }
        return [
            Change(
                "\(isCertain ? "make" : "see that") \(successor)\(isCertain ? "" : " is") a synchronous replica",
                script: script)
        ]
    }

    func essence(given facts: Facts) throws -> String { "\(try isDone.isSeen(in: facts))" }

    static func isSynchronous(_ name: String, in view: HTTPResponse.Answer) -> Bool {
        view.patroni(PatroniStatus.Cluster.self)?.members.contains { $0.name == name && $0.role == "sync_standby" }
            ?? false
    }

    private var script: ShellText {
        let more = api.send(
            #"{"synchronous_node_count":\#(replicas)}"#, to: "/config", by: "PATCH", "--fail --max-time 5")
        return """
            is_synchronous() { \(api.get("/cluster", "--fail --max-time 5")) | grep -qF '"name": "\(inSingleQuotes: successor)", "role": "sync_standby"'; }
            is_synchronous || \(more)
            deadline=$(( $(date +%s) + \(timeout) ))
            until is_synchronous; do
                [ "$(date +%s)" -lt "$deadline" ] || {
                    echo "\(inDoubleQuotes: successor) is no synchronous replica after \(timeout) seconds"
                    exit 1
                }
                sleep 0.2
            done
            """
    }
}

/// Ensures that as many replicas are synchronous as are declared, when there were more for the sake of a handover.
struct RestoredNodeCount: Resource {
    let count: Int
    /// The REST API that is told.
    let api: PatroniAPI
    /// What there are about to be more for; nil when it is over.
    let willBeRaisedUntil: HandoverSign?

    var name: String { "number of synchronous replicas" }

    private var configuration: HTTPResponse { api.question("/config") }

    var questions: [any Fact] { [configuration] + (willBeRaisedUntil?.questions ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let isWanted =
            if let willBeRaisedUntil {
                try !willBeRaisedUntil.isSeen(in: facts)
            } else {
                // Who has only just begun to lead may not have been asked; it is, when everything is verified.
                facts.ifKnown(configuration)?.json(JSONValue.self).map {
                    ($0["synchronous_node_count"]?.scalar ?? "1") != String(count)
                } ?? false
            }
        guard isWanted else { return [] }
        let request = api.send(
            #"{"synchronous_node_count":\#(count)}"#, to: "/config", by: "PATCH", "--show-error --fail-with-body")
        return [Change("have as many synchronous replicas as declared", script: request)]
    }

    func essence(given facts: Facts) -> String { "" }
}
