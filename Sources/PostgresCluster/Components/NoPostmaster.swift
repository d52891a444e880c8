import Engine
import Secrets

/// Ensures that PostgreSQL does not work on a data directory. Patroni leaves it running when it was paused, or was itself
/// ended.
struct NoPostmaster: Resource {
    let directory: String
    let binaryDirectory: String

    var name: String { "no PostgreSQL in \(directory)" }

    private var postmaster: Postmaster { Postmaster(directory: directory) }

    var questions: [any Fact] { [postmaster] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try facts[postmaster] else { return [] }
        return [Change("end PostgreSQL in \(directory)", .stop, script: script, isDisturbing: true)]
    }

    private var script: ShellText {
        let path = ShellText.quoting(directory)
        return """
            \(Postmaster.definition)
            if works_on \(path); then
                cd /
                runuser -u postgres -- \(quoting: binaryDirectory + "/pg_ctl") stop -s -D \(path) -m fast -w -t 600 || :
            fi
            deadline=$(( $(date +%s) + 10 ))
            while works_on \(path); do
                [ "$(date +%s)" -lt "$deadline" ] || { echo "it is still at work, with these processes:"; ps -C postgres -f; exit 1; }
                sleep 0.1
            done
            """
    }
}
