import Engine
import Secrets
import SystemResources

/// Ensures that another member leads.
struct Switchover: Resource {
    let from: Peer
    let to: Peer
    /// The REST API of both.
    let api: (from: PatroniAPI, to: PatroniAPI)
    let pause: PoolerPause
    let isDone: HandoverSign
    /// In seconds. Patroni itself looks for at most twice `loop_wait`, which is at least 20 seconds.
    let timeout: Int

    var name: String { "lead of \(to.name)" }

    var questions: [any Fact] { isDone.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try isDone.isSeen(in: facts) { return [] }
        return [
            Change(
                "switch over from \(from.name) to \(to.name)", script: script, isDisturbing: true)
        ]
    }

    func essence(given facts: Facts) throws -> String { "\(try isDone.isSeen(in: facts))" }

    /// Patroni answers when it has looked whether it has worked, which it does once a second; the new leader itself tells
    /// earlier. Patroni also answers that all is well when somebody else leads now, so it is not asked for that.
    private var script: ShellText {
        let order = #"{"leader":"\#(from.name)","candidate":"\#(to.name)"}"#
        let request = api.from.send(
            order, to: "/switchover", #"--show-error --max-time \#(timeout) --write-out '\n%{http_code}\n'"#)
        return """
            answer=$(mktemp)
            trap 'rm -f "$answer"' EXIT
            \(request) >"$answer" 2>&1 & asking=$!
            deadline=$(( $(date +%s) + \(timeout) ))
            give_up() {
                printf '%s\\n' "$@" "Patroni says: $(head -n 1 "$answer")"
                \(ResumedPooler.ending(pause))
                exit 1
            }
            until \(Watch.leads(api.to)); do
                kill -0 $asking 2>/dev/null || [ "$(tail -n 1 "$answer")" = 200 ] || give_up "\(inDoubleQuotes: from.name) still leads."
                [ "$(date +%s)" -lt "$deadline" ] || give_up "\(inDoubleQuotes: to.name) does not lead after \(timeout) seconds."
                sleep 0.05
            done
            kill $asking 2>/dev/null || :
            """
    }
}
