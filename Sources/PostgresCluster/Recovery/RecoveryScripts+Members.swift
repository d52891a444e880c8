import Engine
import FoundationEssentials

/// The steps on every member.
extension RecoveryScripts {
    /// Writes down what is recovered. Of an earlier target only so much is kept as leads to this one too.
    func begin(restoresAnew: Bool) -> ShellText {
        let marks = course.values.map { "mark \(quoting: $0.key) \(quoting: $0.value)" as ShellText }
        let unmarks: [ShellText] = ["unmark reached", "unmark on"] + (restoresAnew ? ["unmark restored"] : [])
        return (marks + unmarks).joined(separator: "\n")
    }

    /// Shell text that defines `aside`, the new name of the data directory; `linked DIRECTORY`, which prints the other
    /// directories that belong to it, of its log and its tablespaces; and `places`, which prints those that were renamed.
    private var asideDefinition: ShellText {
        """
        data=\(quoting: server.directory)
        aside=$data.removed-\(quoting: course.id)
        user=\(quoting: server.user)
        \(LinkedDirectories.functions)
        places() {
            linked "$aside" | while IFS= read -r place; do
                [ ! -e "$place.removed-\(inDoubleQuotes: course.id)" ] || printf '%s\\n' "$place"
            done
        }
        """
    }

    /// Gives the data another name, the directory itself last: when that has it, all have. For each other directory an empty
    /// one stays behind: PostgreSQL may not make it where that belongs to root, as what is mounted somewhere does, and when it
    /// replays that a tablespace is made, it wants the directory to be there.
    ///
    /// - Parameter isHost: whether the backup is restored here, which takes from the old data what has not changed when that
    ///   is not kept.
    func setAside(isHost: Bool) -> ShellText {
        // A directory that something is mounted on cannot be removed.
        let remove: ShellText = """
            { each_fit; printf '%s\\n' "$data"; } | while IFS= read -r place; do
                [ ! -d "$place" ] || \(LinkedDirectories.emptying)
            done
            """
        let rename: ShellText = """
            if [ -d "$data" ] && [ ! -e "$aside" ]; then
                each_fit | while IFS= read -r place; do
                    renamed="$place.removed-\(inDoubleQuotes: course.id)"
                    [ -e "$renamed" ] || [ ! -e "$place" ] || as_holder "$place" mv -T -- "$place" "$renamed"
                    [ -e "$place" ] || [ ! -e "$renamed" ] || \
                        make_directory "$place" "$(stat -c %U:%G -- "$renamed")" 0700
                done
                as_holder "$data" mv -T -- "$data" "$aside"
                as_holder "$data" sync -- "${aside%/*}"
            fi
            """
        let check: ShellText = """
            \(Postmaster.definition)
            ! works_on "$data" || { echo "PostgreSQL is at work in $data"; exit 1; }
            fit_or_fail "$data" "$user"
            """
        let order: ShellText = course.discards ? (isHost ? ":" : remove) : rename
        return "\(asideDefinition)\n\(check)\n\(order)\nmark aside \(quoting: course.id)"
    }

    /// Gives the old data its name again, in place of what was restored.
    var bringBack: ShellText {
        """
        \(asideDefinition)
        \(server.definition)
        \(Postmaster.definition)
        end_serving
        mark aborting yes
        if [ -e "$aside" ]; then
            ! works_on "$data" || { echo "PostgreSQL is at work in $data"; exit 1; }
            places | while IFS= read -r place; do
                for part in "$place" "$place.removed-\(inDoubleQuotes: course.id)"; do
                    reason=
                    [ ! -e "$part" ] || reason=$(unfit "$part" "$user")
                    [ -z "$reason" ] || { echo "a link in $aside leads to $place, but of $part: $reason"; exit 1; }
                done
                as_holder "$place" rm -rf --one-file-system -- "$place"
                as_holder "$place" mv -T -- "$place.removed-\(inDoubleQuotes: course.id)" "$place"
            done
            as_holder "$data" rm -rf --one-file-system -- "$data"
            as_holder "$data" mv -T -- "$aside" "$data"
            as_holder "$data" sync -- "${aside%/*}"
        fi
        mark returned \(quoting: course.id)
        """
    }

    /// Deletes what etcd knows of the leader that there was and of how far it came: a member that is behind that may not lead.
    /// The name of the cluster, its history and its configuration stay.
    func forget(path: String, etcd: [EtcdEndpoint]) -> ShellText {
        let keys = ["leader", "status", "optime/leader", "sync", "failover", "failsafe"]
            .map { Data((path + $0).utf8).base64EncodedString() }
        let deletions = etcd.map { endpoint -> ShellText in
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
            for key in \(trusted: keys.joined(separator: " "), because: "nothing in base64 means something to the shell"); do forget "$key"; done
            mark forgotten yes
            """
    }

    /// Ends it.
    var finish: ShellText {
        """
        \(asideDefinition)
        if [ -e "$aside" ]; then
            all=$(printf '%s\\n' "$aside"; places | sed 's|$|.removed-\(inSingleQuotes: course.id)|')
            size=$(printf '%s\\n' "$all" | tr '\\n' '\\0' | du -cms --files0-from=- | tail -n 1 | cut -f 1)
            words=$(printf '%s\\n' "$all" | sed "/[^A-Za-z0-9_./:@%+,-]/{s/'/'\\\\\\\\''/g; s/.*/'&'/}" | tr '\\n' ' ')
            say "the old data is in $words($size MB); when it is no longer needed: rm -rf -- $words"
        fi
        mark finished "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
        mv -T -- "$marker" "$marker.done"
        sync -- \(quoting: RecoveryMarker.folder)
        """
    }

    /// Ends an attempt that was given up.
    var forgetAttempt: ShellText { "rm -f -- \"$marker\"" }
}
