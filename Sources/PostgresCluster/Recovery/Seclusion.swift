import Engine

/// What keeps a server that recovers beside a cluster away from the cluster's own directories.
///
/// The log names the directories of the tablespaces that were made after the backup, and whoever replays it writes there: on
/// a member that is where the cluster has its tables. Such a server has empty directories of its own in these places.
struct Seclusion: Sendable {
    /// The data directory of the cluster.
    let cluster: String
    /// Where its own directories are, each by its whole path.
    let directory: String
    /// The owner of both.
    var user = "postgres"

    /// Shell text that defines `seclude`, which makes its own directories and prints for which places; and `resettle DATA`,
    /// which has a data directory name its own ones, so that they are found without seclusion too.
    var definition: ShellText {
        """
        \(LinkedDirectories.functions)
        own=\(quoting: directory) owner=\(quoting: user)
        fit_or_fail \(quoting: cluster) "$owner" || exit 1
        seclude() {
            linked \(quoting: cluster) | while IFS= read -r place; do
                [ -d "$place" ] && [ -z "$(unfit "$place" "$owner")" ] || continue
                as_holder "$own" mkdir -p -m 0700 -- "$own$place" || exit
                printf '%s\\n' "$place"
            done
        }
        resettle() {
            for link in "$1"/pg_tblspc/*; do
                [ -L "$link" ] || continue
                place=$(readlink -m -- "$link")
                [ ! -d "$own$place" ] || as_holder "$link" ln -sfn -- "$own$place" "$link"
            done
        }
        """
    }

    /// Shell text that prints the places as systemd mounts them for a unit; nothing when there are none.
    static let mounts: ShellText =
        #"seclude | while IFS= read -r place; do printf '%s"%s":"%s"' "${blank-}" "$own$place" "$place"; blank=" "; done"#

    /// Shell text that runs the command behind it with them mounted.
    ///
    /// Root goes into the directory first, sees whose it is, and mounts on that: what its owner puts in its place meanwhile
    /// is not followed. On `/etc`, a directory of somebody else would tell root what to do.
    static let mounted: ShellText = #"""
        seclude | unshare --mount sh -c '
            own=$1 owner=$2
            shift 2
            while IFS= read -r place; do
                (
                    cd -P -- "$place" && [ "$(stat -c %U .)" = "$owner" ] \
                        && mount --no-canonicalize --bind -- "$own$place" .
                ) || exit 1
            done
            exec "$@"' sh "$own" "$owner"
        """#
}
