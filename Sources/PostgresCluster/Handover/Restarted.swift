import Engine
import Secrets
import SystemResources

/// Ensures that a member runs with the parameters that it shall have, which takes a restart of its PostgreSQL.
struct Restarted: Resource {
    /// Which of the differences matter.
    enum Share: Sendable {
        /// Those for which nobody needs to wait.
        case atOnce
        /// Those for which a replica waits until the leader has taken them: limits that become smaller.
        case afterLeader
        /// All of them.
        case all
    }

    let member: Peer
    let parameters: ParametersInForce
    let share: Share
    let api: PatroniAPI
    let catalog: PostgresCatalog
    let dataDirectory: String
    let binaryDirectory: String

    var name: String { share == .afterLeader ? "parameters in force after the leader's" : "parameters in force" }

    var questions: [any Fact] { parameters.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let lowered = try parameters.lowered(given: facts)
        let isNecessary =
            switch share {
            case .all: try parameters.needRestart(given: facts)
            case .atOnce:
                lowered.isEmpty
                    ? try parameters.needRestart(given: facts) : try !parameters.raised(given: facts).isEmpty
            case .afterLeader: !lowered.isEmpty
            }
        guard isNecessary else { return [] }
        let waited = share == .afterLeader ? lowered : []
        return [
            Change(
                "restart PostgreSQL on \(member.name)", .restart, script: script(afterLeaderTook: waited),
                isDisturbing: true)
        ]
    }

    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }

    /// A replica that has not yet read in the log that the leader has a smaller limit would start with the old one.
    private func script(afterLeaderTook lowered: [ClusterConfiguration.Parameter]) -> ShellText {
        let restart = api.send(
            #"{"restart_pending":true}"#, to: "/restart", #"--max-time 600 --write-out '\n%{http_code}'"#)
        let control: ShellText = "LC_ALL=C \(quoting: binaryDirectory + "/pg_controldata") \(quoting: dataDirectory)"
        let waits = lowered.map { parameter -> ShellText in
            let name: ShellText = "\(trusted: parameter.name, because: "it is one of the limits of replicas")"
            let value: ShellText = "\(trusted: parameter.value, because: "only a number is less than another one")"
            return "await_that \"\(control) | grep -Eq '^\(name) setting: +\(value)$'\" "
                + "'the leader does not run with \(name) = \(value)'"
        }
        let streams = catalog.script(
            running: "SELECT 'streams' FROM pg_stat_wal_receiver WHERE status = 'streaming';")
        return """
            await_that() {
                deadline=$(( $(date +%s) + 120 ))
                until eval "$1"; do
                    [ "$(date +%s)" -lt "$deadline" ] || { echo "$2 after 120 seconds"; exit 1; }
                    sleep 0.1
                done
            }
            serves() {
                \(api.get("/primary", "--output /dev/null --fail --max-time 2")) || { \(streams)} | grep -q streams
            }
            \(waits.joined(separator: "\n"))
            answer=$(\(restart))
            case $answer in
            *200) ;;
            *) echo "Patroni says: $answer"; exit 1 ;;
            esac
            await_that serves '\(inSingleQuotes: member.name) neither leads nor streams'
            """
    }
}

/// Ensures that the Patroni of a member has read which parameters it shall have, when they want a restart.
struct NoticedParameters: Resource {
    let member: Peer
    let parameters: ParametersInForce
    let api: PatroniAPI
    /// The shell text that has Patroni take its next turn at once.
    let waking: ShellText
    /// In seconds.
    let timeout: Int

    var name: String { "parameters that \(member.name) knows" }

    var questions: [any Fact] { parameters.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try parameters.needRestart(given: facts), try !parameters.isPending(given: facts) else { return [] }
        return [Change("let Patroni notice which parameters want a restart", script: script)]
    }

    func essence(given facts: Facts) -> String { "" }

    private var script: ShellText {
        """
        deadline=$(( $(date +%s) + \(timeout) ))
        until \(api.get("/patroni", "--max-time 2")) | grep -qF '"pending_restart": true'; do
            [ "$(date +%s)" -lt "$deadline" ] || {
                echo "Patroni sees nothing that wants a restart: it does not accept all values of postgresql_parameters"
                exit 1
            }
            \(waking) >/dev/null
            sleep 0.5
        done
        """
    }
}

/// Tells that parameters wait for a restart.
struct AwaitsRestart: Resource {
    let member: String
    let own: HTTPResponse

    var name: String { "restarts that \(member) awaits" }

    var questions: [any Fact] { [own] }

    func changes(given facts: Facts, after pending: PendingEffects) -> [Change] { [] }

    func essence(given facts: Facts) -> String { "" }

    func notices(given facts: Facts) throws -> [String] {
        let waits = try facts[own].patroni(PatroniStatus.Own.self)?.pendingRestart ?? false
        return waits ? ["changed parameters wait for a restart of PostgreSQL: apply with --restart rolling"] : []
    }
}
