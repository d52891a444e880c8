import Engine
import Secrets
import SystemResources

/// Ensures that clients have the time to finish before the daemon that serves them is stopped, which comes next. They are
/// led there no more; those that stay for ever are not waited for.
struct Drained: Resource {
    let unit: String
    /// The shell text that succeeds while clients are there.
    let isBusy: ShellText
    /// The shell text that sends away those who have not finished.
    var ending: ShellText = ":"
    /// In seconds.
    var limit = 60

    var name: String { "clients of \(unit)" }

    var questions: [any Fact] { [UnitStatus(unit)] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try facts[UnitStatus(unit)].isRunning else { return [] }
        return [
            Change(
                "let clients finish, for at most \(limit) s",
                script: """
                    deadline=$(( $(date +%s) + \(limit) ))
                    while { \(isBusy)
                    } >/dev/null 2>&1; do
                        [ "$(date +%s)" -lt "$deadline" ] || { \(ending); break; }
                        sleep 0.2
                    done
                    """)
        ]
    }

    /// How the unit has come to run is no matter.
    func essence(given facts: Facts) throws -> String { "\(try facts[UnitStatus(unit)].isRunning)" }
}
