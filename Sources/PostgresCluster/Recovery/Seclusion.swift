import Drover

/// What keeps a server that recovers beside a cluster away from the cluster's own directories.
///
/// The log names the directories of the tablespaces that were made after the backup, and whoever replays it writes there: on
/// a member that is where the cluster has its tables. Such a server has empty directories of its own in these places.
struct Seclusion: Sendable {
    /// The data directory of the cluster.
    let cluster: String
    /// Where its own directories are, each by its whole path.
    let directory: String

    /// Shell text that defines `seclude`, which makes its own directories and prints for which places; and `resettle DATA`,
    /// which has a data directory name its own ones, so that they are found without seclusion too.
    var definition: String {
        """
        \(RecoveryServer.linked)
        own=\(Shell.quote(directory))
        seclude() {
            linked \(Shell.quote(cluster)) | while IFS= read -r place; do
                [ -d "$place" ] || continue
                mkdir -p -- "$own$place"
                chown --reference="$place" -- "$own$place"
                chmod 0700 -- "$own$place"
                printf '%s\\n' "$place"
            done
        }
        resettle() {
            for link in "$1"/pg_tblspc/*; do
                [ -L "$link" ] || continue
                place=$(readlink -m -- "$link")
                [ ! -d "$own$place" ] || ln -sfn -- "$own$place" "$link"
            done
        }
        """
    }

    /// Shell text that prints the places as systemd mounts them for a unit; nothing when there are none.
    static let mounts =
        #"seclude | while IFS= read -r place; do printf '%s"%s":"%s"' "${blank-}" "$own$place" "$place"; blank=" "; done"#

    /// Shell text that runs the command behind it with them mounted.
    static let mounted =
        #"seclude | unshare --mount sh -c 'own=$1; shift; while IFS= read -r place; do mount --bind -- "$own$place" "$place" || exit 1; done; exec "$@"' sh "$own""#
}
