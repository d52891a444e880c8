import Engine
import Secrets
import SystemResources

/// Ensures, by logging in and asking, that SQL passes through a balancer at its own address: at one port to the leader, at
/// the other to a replica. It is tried on a member, from where a client could stand, before the balancer may get any.
struct ClientPath: Resource {
    let balancer: Peer
    /// The port that leads to the leader.
    let leaderPort: Int
    /// The port that leads to the replicas; nil when there is none to lead to.
    let replicasPort: Int?
    let login: ClusterConfiguration.Login
    let binaryDirectory: String
    /// In seconds.
    var timeout = 60

    var name: String { "path of clients through \(balancer.name)" }

    var questions: [any Fact] { [CommandSuccess(test)] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[CommandSuccess(test)] { return [] }
        let script: ShellText = """
            deadline=$(( $(date +%s) + \(timeout) ))
            passes() {
            \(test)
            }
            until error=$(passes 2>&1 >/dev/null); do
                [ "$(date +%s)" -lt "$deadline" ] || {
                    printf '%s\\n' "no SQL passes through \(inDoubleQuotes: balancer.name) after \(timeout) seconds:" "$error"
                    exit 1
                }
                sleep 0.2
            done
            """
        return [Change("prove that SQL passes through \(balancer.name)", script: script)]
    }

    /// The password goes by a file that only root can read, and only for a moment.
    private var test: ShellText {
        var entry: MaskedText = "*:*:*:*:"
        entry.append(escaped(login.password))
        let ports: [(Int, ShellText, ShellText)] =
            [(leaderPort, "f", "the leader")] + (replicasPort.map { [($0, "t", "a replica")] } ?? [])
        let questions = ports.map { port, answer, who -> ShellText in
            """
            answer=$(ask \(port)) && { [ "$answer" = \(answer) ] || { echo "port \(port) does not lead to \(who)" >&2; false; }; } || exit

            """
        }
        return """
            ( passwords=$(mktemp) && trap 'rm -f "$passwords"' EXIT && cat >"$passwords" \(hereDocument: entry, "END_OF_PASSWORD")
            ask() { PGPASSFILE=$passwords PGCONNECT_TIMEOUT=5 \(psql) -p "$1" -c 'SELECT pg_is_in_recovery()'; }
            \(questions.joined()))
            """
    }

    private var psql: ShellText {
        let name = binaryDirectory + "/psql"
        return "\(words: [name, "-XAtqw", "-h", balancer.address, "-U", login.name, "-d", "postgres"])"
    }

    /// In a password file `:` and `\` stand behind a `\`.
    private func escaped(_ secret: Secret) -> Secret {
        Secret(secret.reveal().unicodeScalars.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())
    }
}
