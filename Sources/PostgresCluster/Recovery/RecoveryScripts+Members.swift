import Drover
import FoundationEssentials

/// The steps on every member.
extension RecoveryScripts {
    /// Writes down what is recovered. Of an earlier target only so much is kept as leads to this one too.
    func begin(restoresAnew: Bool) -> String {
        (course.values.map { "mark \($0.key) \(Shell.quote($0.value))" } + ["unmark reached", "unmark on"]
            + (restoresAnew ? ["unmark restored"] : [])).joined(separator: "\n")
    }

    /// Shell text that defines `aside`, the new name of the data directory, and `places`, which prints the other
    /// directories that belong to it, as far as they were renamed.
    private var asideDefinition: String {
        """
        data=\(Shell.quote(server.directory))
        aside=$data.removed-\(course.id)
        places() {
            for link in "$aside"/pg_wal "$aside"/pg_tblspc/*; do
                [ -L "$link" ] || continue
                place=$(readlink -m -- "$link")
                [ ! -e "$place.removed-\(course.id)" ] || printf '%s\\n' "$place"
            done
        }
        """
    }

    /// Gives the data another name, the directory itself last: when that has it, all have.
    ///
    /// - Parameter isHost: whether the backup is restored here, which takes from the old data what has not changed when that
    ///   is not kept.
    func setAside(isHost: Bool) -> String {
        let remove = """
            for link in "$data"/pg_wal "$data"/pg_tblspc/*; do
                [ ! -L "$link" ] || rm -rf --one-file-system -- "$(readlink -m -- "$link")"
            done
            rm -rf --one-file-system -- "$data"
            """
        let rename = """
            if [ -d "$data" ] && [ ! -e "$aside" ]; then
                for link in "$data"/pg_wal "$data"/pg_tblspc/*; do
                    [ -L "$link" ] || continue
                    place=$(readlink -m -- "$link")
                    [ -e "$place.removed-\(course.id)" ] || mv -T -- "$place" "$place.removed-\(course.id)"
                done
                mv -T -- "$data" "$aside"
                sync -- "${aside%/*}"
            fi
            """
        let check = """
            \(Postmaster.definition)
            ! works_on "$data" || { echo "PostgreSQL is at work in $data"; exit 1; }
            """
        return asideDefinition + "\n" + check + "\n" + (course.discards ? (isHost ? ":" : remove) : rename)
            + "\nmark aside \(course.id)"
    }

    /// Gives the old data its name again, in place of what was restored.
    var bringBack: String {
        asideDefinition + "\n" + server.definition + "\n" + Postmaster.definition + "\n" + """
            end_serving
            mark aborting yes
            if [ -e "$aside" ]; then
                ! works_on "$data" || { echo "PostgreSQL is at work in $data"; exit 1; }
                places | while IFS= read -r place; do
                    rm -rf --one-file-system -- "$place"
                    mv -T -- "$place.removed-\(course.id)" "$place"
                done
                rm -rf --one-file-system -- "$data"
                mv -T -- "$aside" "$data"
                sync -- "${aside%/*}"
            fi
            mark returned \(course.id)
            """
    }

    /// Deletes what etcd knows of the leader that there was and of how far it came: a member that is behind that may not lead.
    /// The name of the cluster, its history and its configuration stay.
    func forget(path: String, etcd: [EtcdEndpoint]) -> String {
        let keys = ["leader", "status", "optime/leader", "sync", "failover", "failsafe"]
            .map { Data((path + $0).utf8).base64EncodedString() }
        let deletions = etcd.map { endpoint in
            let request = endpoint.curl(
                "/v3/kv/deleterange", #"--fail --max-time 5 --output /dev/null --data-raw "{\"key\":\"$1\"}""#)
            return "! \(request) || return 0"
        }.joined(separator: "\n")
        return """
            ! systemctl is-active --quiet patroni.service || { echo "Patroni runs here already"; exit 1; }
            forget() {
                \(deletions)
                echo "no member of etcd can delete a key"
                return 1
            }
            for key in \(keys.joined(separator: " ")); do forget "$key"; done
            mark forgotten yes
            """
    }

    /// Ends it.
    var finish: String {
        asideDefinition + "\n" + """
            if [ -e "$aside" ]; then
                all=$( { echo "$aside"; places | sed 's|$|.removed-\(course.id)|'; } | tr '\\n' ' ')
                say "the old data is in $all($(du -sm -- "$aside" | cut -f 1) MB); when nobody needs it any more: rm -rf $all"
            fi
            mark finished "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
            mv -T -- "$marker" "$marker.done"
            sync -- \(RecoveryMarker.folder)
            """
    }

    /// Ends an attempt that was given up.
    var forgetAttempt: String { "rm -f -- \"$marker\"" }
}
