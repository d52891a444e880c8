/// The shell text with which steps write down what they do, on the host itself, so that the next run, `drover runs` and
/// `drover rollback` know it.
///
/// Each run has a directory of its own: the file `journal`, one record a line with its fields separated by tabs, and
/// in `kept/` what stood in the files that it replaced, named by digest. All of it is for root's eyes only.
public struct JournalScript: Sendable {
    /// Where the runs of a host are kept.
    public static let runs = "/var/lib/drover/runs"
    /// How many runs are kept before the oldest ones go.
    static let keptRuns = 30

    /// The functions that the shell text of any change may use. Without a journal they do nothing.
    ///
    /// - `keep PATH` is called before a file or link at PATH is replaced or removed.
    /// - `keep_unit UNIT [restart:PATH | reload:PATH]…` is called before a systemd unit is enabled, disabled, started,
    ///   stopped, restarted or reloaded, with the files after whose change that is necessary.
    /// - `purge PATH` is called before a file at PATH is replaced whose secret has changed: it deletes what earlier runs kept
    ///   of it, and has the `keep PATH` after it keep nothing.
    ///
    /// What they write down is on the disk before the change is made.
    public static let functions: ShellText =
        PathRights.functions + #"""
            keep() {
              [ -n "$journal" ] || return 0
              if [ "$1" = "${purged-}" ]; then was=secret
              elif [ -L "$1" ]; then was="link $(readlink -- "$1")"
              elif [ -f "$1" ]; then
                (umask 077 && as_holder "$1" cat -- "$1" >"$kept/new") && was=$(sha256sum <"$kept/new") || return
                was=${was%% *}
                sync "$kept/new" && mv -f -- "$kept/new" "$kept/$was" || return
                was="file $was $(stat -c '%a %U %G' -- "$1")"
              elif [ -e "$1" ]; then was=other
              else was=absent; fi
              printf 'kept\t%s\t%s\n' "$1" "$was" >>"$journal" && sync "$kept" "$journal"
            }
            keep_unit() {
              [ -n "$journal" ] || return 0
              { printf 'unit\t%s\t%s %s' "$1" "$(systemctl show --property=UnitFileState --value -- "$1")" \
                  "$(systemctl show --property=ActiveState --value -- "$1")"
                shift; [ $# = 0 ] || printf '\t%s' "$@"; echo; } >>"$journal" && sync "$journal"
            }
            purge() {
              [ -n "$journal" ] || return 0
              purged=$1
              for other in "${journal%/*/*}"/*/journal; do
                digests=$(path=$1 awk -F '\t' '$1 == "kept" && $2 == ENVIRON["path"] && sub(/^file /, "", $3) {
                  print substr($3, 1, 64) }' <"$other") || return
                [ -n "$digests" ] || continue
                printf 'kept\t%s\tsecret\n' "$1" >>"$other"
                for digest in $digests; do rm -f -- "${other%/*}/kept/$digest" || return; done
                sync "$other" "${other%/*}/kept"
              done
            }

            """#

    /// Of which run the steps are.
    let run: RunIdentity
    /// Which of the run's exchanges with this host it is: steps are numbered anew in each.
    let batch: Int
    /// Where the runs are kept.
    var directory = JournalScript.runs

    /// Opens the journal, and writes its head if it is new. What a killed run has left half kept goes then.
    ///
    /// The clock may have been set back: then the directory of this run sorts before older ones, and stays all the same.
    var opening: ShellText {
        let head = ["run", "1", run.id, run.person, run.command].joined(separator: "\t")
        let all: ShellText = "\(quoting: directory)"
        let own: ShellText = "\(quoting: "\(directory)/\(run.id)")"
        return """
            kept=\(own)/kept journal=\(own)/journal
            [ -e "$journal" ] || {
              rm -f \(all)/*/kept/new
              (umask 077; mkdir -p "$kept") && printf '%s\\n' \(quoting: head) >"$journal" || exit 1
              sync "$journal" \(own) \(all) || exit 1
              set -- \(all)/*
              while [ $# -gt \(Self.keptRuns) ]; do
                case $1 in \(own)) set -- "$@" "$1" ;; *) rm -rf "$1" ;; esac
                shift
              done
            }

            """
    }

    /// Has all that was written down on the disk.
    let closing: ShellText = "sync \"$journal\""

    /// Prints the journal.
    var printing: ShellText { "cat \(quoting: "\(directory)/\(run.id)/journal")" }

    /// Writes down that a step begins.
    func begin(_ index: Int, _ step: HostPlan.Step) -> ShellText {
        let words = [step.resource, step.change.summary].map { $0.map { $0.isNewline || $0 == "\t" ? " " : $0 } }
        let text = words.map { String($0) }.joined(separator: "\t")
        return "read -r up _ </proc/uptime; "
            + "printf 'begin\\t%s\\t%s\\t%s\\n' \(batch).\(index) \"$up\" \(quoting: text) >>\"$journal\""
    }

    /// Writes down how a step ended: its status is in `$status`.
    func end(_ index: Int) -> ShellText {
        "read -r up _ </proc/uptime; "
            + "printf 'end\\t%s\\t%s\\t%s\\n' \(batch).\(index) \"$up\" $status >>\"$journal\""
    }
}
