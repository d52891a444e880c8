import Drover
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
        var script = MaskedText("deadline=$(( $(date +%s) + \(timeout) ))\npasses() {\n")
        script.append(test)
        script.append(
            """

            }
            until error=$(passes 2>&1 >/dev/null); do
                [ "$(date +%s)" -lt "$deadline" ] || {
                    printf '%s\\n' "no SQL passes through \(balancer.name) after \(timeout) seconds:" "$error"
                    exit 1
                }
                sleep 0.2
            done
            """)
        return [Change("prove that SQL passes through \(balancer.name)", script: script)]
    }

    /// The password goes by a file that only root can read, and only for a moment.
    private var test: MaskedText {
        var test = MaskedText(
            "( passwords=$(mktemp) && trap 'rm -f \"$passwords\"' EXIT && cat >\"$passwords\" <<'END_OF_PASSWORD'\n")
        test.append("*:*:*:*:")
        test.append(escaped(login.password))
        test.append("\nEND_OF_PASSWORD\n")
        test.append(
            "ask() { PGPASSFILE=$passwords PGCONNECT_TIMEOUT=5 \(psql) -p \"$1\" -c 'SELECT pg_is_in_recovery()'; }\n")
        let ports = [(leaderPort, "f", "the leader")] + (replicasPort.map { [($0, "t", "a replica")] } ?? [])
        for (port, answer, who) in ports {
            test.append(
                """
                answer=$(ask \(port)) && { [ "$answer" = \(answer) ] || { echo "port \(port) does not lead to \(who)" >&2; false; }; } || exit

                """)
        }
        test.append(")")
        return test
    }

    private var psql: String {
        Shell.words([
            binaryDirectory + "/psql", "-XAtqw", "-h", balancer.address, "-U", login.name, "-d", "postgres",
        ])
    }

    /// In a password file `:` and `\` stand behind a `\`.
    private func escaped(_ secret: Secret) -> Secret {
        Secret(secret.reveal().unicodeScalars.map { $0 == ":" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())
    }
}
