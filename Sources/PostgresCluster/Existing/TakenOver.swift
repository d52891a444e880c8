import Engine
import Secrets

/// Ensures that a server that stood alone runs by the configuration of Patroni, which leads already: it is restarted, once.
///
/// Patroni itself stops and starts it, so that it never loses the lock, and no new timeline begins. How long it accepted no
/// writes is measured by writing again and again, and told.
struct TakenOver: Resource {
    let adoption: Adoption

    var name: String { "PostgreSQL by Patroni's configuration" }

    private var configuration: ClusterConfiguration { adoption.cluster.configuration }

    private var question: ExistingServer { Adoption.question(in: configuration) }

    var questions: [any Fact] { [question] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard try facts[question].standsAlone(in: configuration.postgres.dataDirectory) else { return [] }
        return [
            Change(
                "restart PostgreSQL by Patroni's configuration, which ends the connections of its clients", .restart,
                script: script, isDisturbing: true)
        ]
    }

    func essence(given facts: Facts) throws -> String {
        "\(try facts[question].standsAlone(in: configuration.postgres.dataDirectory))"
    }

    private var script: ShellText {
        let catalog = adoption.cluster.catalog
        let resets = adoption.settings.overriding.map { "ALTER SYSTEM RESET \(identifier: $0);\n" as SQLText }.joined()
        let restart = configuration.api(of: adoption.node).send(
            "{}", to: "/restart", "--show-error --fail-with-body --max-time 3600")
        return """
            \(ShellText.say)
            \(releasing)
            # To take a number for a transaction is to write.
            write() {
                \(catalog.script(running: "SELECT pg_postmaster_start_time() WHERE pg_current_xact_id() IS NOT NULL;"))
            }
            now() { date +%s%3N; }
            # So that there is little left to write when it stops.
            \(catalog.script(running: resets + "CHECKPOINT;"))
            before=$(write)
            answer=$(mktemp)
            trap 'rm -f "$answer"' EXIT
            last=$(now)
            \(restart) >"$answer" 2>&1 &
            request=$!
            deadline=$(( $(date +%s) + 3600 ))
            while :; do
                moment=$(now)
                if after=$(write 2>/dev/null) && [ -n "$after" ]; then
                    [ "$after" = "$before" ] || break
                    last=$moment
                fi
                if ! kill -0 "$request" 2>/dev/null && [ -n "$request" ]; then
                    wait "$request" || { echo "Patroni says: $(cat "$answer")"; exit 1; }
                    request=
                    deadline=$(( $(date +%s) + 60 ))
                fi
                [ "$(date +%s)" -lt "$deadline" ] || { echo "PostgreSQL accepts no writes"; exit 1; }
            done
            gap=$(( $(now) - last ))
            say "no write was accepted for $(( gap / 1000 )).$(( gap % 1000 / 100 )) s"
            [ -z "$request" ] || wait "$request" || { echo "Patroni says: $(cat "$answer")"; exit 1; }
            \(adoption.server.unit == nil ? ":" : "forget")
            """
    }

    /// systemd takes the end of the old server for its own stop, and would run the order for that, which ends whatever server
    /// works on the data by then.
    private var releasing: ShellText {
        guard let unit = adoption.server.unit else { return ":" }
        return """
            unit=\(quoting: unit)
            mkdir -p "/run/systemd/system/$unit.d"
            printf '[Service]\\nExecStop=\\n' >"/run/systemd/system/$unit.d/drover.conf"
            systemctl daemon-reload
            forget() {
                deadline=$(( $(date +%s) + 60 ))
                while systemctl is-active --quiet "$unit"; do
                    [ "$(date +%s)" -lt "$deadline" ] || { echo "$unit does not end"; exit 1; }
                    sleep 0.1
                done
                rm -r "/run/systemd/system/$unit.d"
                systemctl daemon-reload
            }
            """
    }
}
