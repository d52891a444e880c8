import Engine
import Secrets

/// Gets the log up to now into the archive, on who leads; on others it does nothing.
struct ArchivedUpToNow {
    let catalog: PostgresCatalog
    /// How long the archive may take, in seconds.
    var patience = 300

    /// A transaction stands behind each moment: PostgreSQL does not stop at a time that no transaction follows.
    var script: ShellText {
        let write = catalog.script(running: "SELECT 'leads' WHERE NOT pg_is_in_recovery();")
        let turn = catalog.script(
            running: "SELECT pg_current_xact_id() IS NULL; SELECT pg_walfile_name(pg_switch_wal());"
        )
        let archived = catalog.script(
            running:
                "SELECT last_archived_wal, coalesce(last_failed_time > last_archived_time, false) FROM pg_stat_archiver;"
        )
        return """
            leads() {
                \(write)}
            turn() {
                \(turn)}
            archived() {
                \(archived)}
            if leads 2>/dev/null | grep -q leads; then
                segment=$(turn | tail -n 1)
                deadline=$(( $(date +%s) + \(patience) ))
                while :; do
                    state=$(archived)
                    last=${state%|*}
                    if [ ! "$segment" \\> "$last" ]; then break; fi
                    [ "$(date +%s)" -lt "$deadline" ] || { echo "the segment $segment does not get into the archive: it has $last"; exit 1; }
                    echo "progress: $segment is on its way"
                    sleep 0.1
                done
            fi
            """
    }
}
