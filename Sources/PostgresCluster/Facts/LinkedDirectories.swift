import Engine

/// Shell functions about the directories to which the links of a data directory lead: that of its WAL and those of its
/// tablespaces.
///
/// The owner of a data directory can make such a link lead anywhere, and `pg_tablespace_location` only prints the link: it
/// proves nothing. Neither does a backup's manifest, which is made of the links. So a directory must look like what it is
/// said to be before Drover renames it or removes its contents: it belongs to the owner of the data, is no directory of the
/// system, and holds nothing but what PostgreSQL puts into a tablespace or a directory of WAL.
enum LinkedDirectories {
    /// What is set aside is called so: the name from before, and this. In a mount point it is a directory of this name.
    static let suffix: ShellText = "removed-[0-9]*T[0-9]*Z"

    /// Removes what is in the directory `$place`, on which something may be mounted.
    static let emptying: ShellText =
        #"as_holder "$place/." find "$place" -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} +"#

    /// - `linked DIRECTORY` prints the directories to which the links of a data directory lead.
    /// - `unfit DIRECTORY USER [CONTENTS]` prints why a directory cannot be one of them, or nothing; `any` contents need no
    ///   look.
    /// - `must_fit DIRECTORY PLACE USER` fails, and says why, when a place to which a data directory has a link is unfit.
    /// - `fit_or_fail DIRECTORY USER` does so for all that are there. `each_fit` then prints those: the owner can have made other
    ///   links since, so `linked` is not asked again.
    static let functions: ShellText = """
        linked() {
            for link in "$1"/pg_wal "$1"/pg_tblspc/*; do [ ! -L "$link" ] || readlink -m -- "$link"; done
        }
        unfit() {
            case $1/ in
            // | \(PostgresPlace.system.map { "\(quoting: $0)/*" as ShellText }.joined(separator: " | ")))
                echo "it is a directory of the system"
                return ;;
            esac
            [ -d "$1" ] && [ ! -L "$1" ] || { echo "it is no directory"; return; }
            owner=$(stat -c %U -- "$1")
            [ "$owner" = "$2" ] || { echo "it belongs to $owner and not to $2"; return; }
            [ "${3-}" != any ] || return 0
            for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
                [ -e "$entry" ] || [ -L "$entry" ] || continue
                case ${entry##*/} in
                PG_[0-9]* | \(suffix) | archive_status | summaries | lost+found) ;;
                *.history | *.partial | *.backup | xlogtemp.* | RECOVERYXLOG | RECOVERYHISTORY) ;;
                *[!0123456789ABCDEF]*) echo "it also holds ${entry##*/}, which no tablespace and no WAL has"; return ;;
                esac
            done
        }
        must_fit() {
            reason=$(unfit "$2" "$3")
            [ -z "$reason" ] || { echo "a link in $1 leads to $2: $reason"; exit 1; }
        }
        fit_or_fail() {
            fit=$(linked "$1" | while IFS= read -r place; do
                for entry in "$place" "$place".\(suffix); do
                    [ -e "$entry" ] || [ -L "$entry" ] || continue
                    printf '%s\\n' "$place"
                    break
                done
            done)
            each_fit | while IFS= read -r place; do
                [ ! -e "$place" ] && [ ! -L "$place" ] || must_fit "$1" "$place" "$2"
            done
        }
        each_fit() { [ -z "$fit" ] || printf '%s\\n' "$fit"; }

        """
}
