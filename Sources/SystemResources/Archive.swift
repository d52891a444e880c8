import Diagnostics
public import Engine
import FoundationEssentials
import Secrets

/// Ensures that an archive is unpacked into a directory. What it holds is root's.
///
/// A marker file in the directory holds the digest of the archive, and is written last; while it is the same, nothing is
/// done. What an older archive has left that the new one does not replace stays.
///
///     try Archive(
///         "wal-g", from: .url("https://mirror.example/wal-g.tar.gz", sha256: String(repeating: "0", count: 64)),
///         into: "/opt/wal-g")
public struct Archive: Resource {
    /// What the ending of an archive's name says.
    private enum Format: String {
        case gzip = "z"
        case xz = "J"
        case zip = ""
    }

    /// The file that tells which archive was unpacked: a ``Service`` that is restarted by it runs what was unpacked last.
    public let marker: String
    private let archive: String
    private let source: ArchiveSource
    private let directory: String
    private let stripped: Int
    private let format: Format

    /// - Parameters:
    ///   - archive: what it is called, whatever its version: `node_exporter`. Unique in its directory.
    ///   - source: where it is; its name ends with `.tar.gz`, `.tgz`, `.tar.xz` or `.zip`. For the last, `unzip` must be on
    ///     the host; for `.tar.xz`, `xz-utils`.
    ///   - directory: absolute. It is made if need be.
    ///   - stripped: how many leading parts of the paths in the archive are left out, so that what stands in its folder
    ///     `node_exporter-1.8.1/` comes to stand in `directory` itself. Not for `.zip`.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(_ archive: String, from source: ArchiveSource, into directory: String, stripping stripped: Int = 0)
        throws
    {
        self.archive = archive
        self.source = source
        self.directory = directory
        self.stripped = stripped
        marker = "\(directory)/.\(archive).drover"
        let name = "archive \(archive) in \(directory)"
        try HostPath.check(directory, of: name)
        guard archive.wholeMatch(of: /[A-Za-z0-9_.+-]+/) != nil else {
            throw Diagnostic(
                "\(name): '\(archive)' is no name", remedy: "use letters, digits and the characters _ . + -")
        }
        let endings: [(String, Format)] = [(".tar.gz", .gzip), (".tgz", .gzip), (".tar.xz", .xz), (".zip", .zip)]
        guard let format = endings.first(where: { source.location.hasSuffix($0.0) })?.1 else {
            throw Diagnostic(
                "\(name): how '\(source.location)' is packed cannot be told",
                remedy: "its name must end with .tar.gz, .tgz, .tar.xz or .zip")
        }
        self.format = format
        guard stripped == 0 || (stripped > 0 && format != .zip) else {
            throw Diagnostic("\(name): \(stripped) leading parts cannot be left out of this archive")
        }
    }

    public var name: String { "archive \(archive) in \(directory)" }

    private var mark: FileContent { FileContent(marker, expected: source.digest + "\n") }

    public var questions: [any Fact] { [mark] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[mark] == .asExpected { return [] }
        var script: ShellText = opening
        script += fetching
        script += closing
        // The next step of its own, in a subshell, because both have something to take away when they end.
        let ownership = Ownership(owner: "root", group: "root", mode: 0o644)
        let marking = Replacement(
            path: marker, content: MaskedText(source.digest + "\n"), access: .exactly(ownership))
        script += "\n(\n\(marking.script)\n)"
        return [
            Change("unpack \(source.location) into \(directory)", .create, script: script, effects: [.writes(marker)])
        ]
    }

    private var quotedDirectory: ShellText { ShellText.quoting(directory) }

    private var opening: ShellText {
        """
        directory=\(quotedDirectory)
        need() { command -v "$1" >/dev/null || { echo "$1 is not on this host; install the package $2 before"; exit 1; }; }
        \(format == .xz ? "need xz xz-utils" : format == .zip ? "need unzip unzip" : ":")
        as_holder "$directory" mkdir -p -- "$directory"
        holder "$directory/."
        [ -z "$holder" ] || {
            echo "$directory belongs to $holder, and what an archive holds is root's: name a directory of root"
            exit 1
        }
        rm -f -- "$directory"/.drover.??????
        archive=$(mktemp "$directory/.drover.XXXXXX")
        trap 'rm -f "$archive"' EXIT
        trap 'exit 143' HUP INT TERM

        """
    }

    private var fetching: ShellText {
        switch source.place {
        case .url(let url):
            // The URL may hold a token: it stands in no list of processes.
            return """
                need curl curl
                curl --fail --silent --show-error --location --connect-timeout 30 --output "$archive" --config - \(hereDocument: MaskedText("url = \"\(url)\""), "END_OF_CONFIG")

                """
        case .host(let path):
            return """
                rm -f "$archive"
                ln -s -- \(quoting: path) "$archive"

                """
        case .controller(_, let content):
            return "base64 -d >\"$archive\" \(base64: content)\n"
        }
    }

    /// Only what has the right digest is unpacked, and nowhere below a directory of somebody else, who could put a link there
    /// meanwhile. Whatever it replaces is kept before.
    private var closing: ShellText {
        let list: ShellText =
            format == .zip
            ? #"unzip -Z1 "$archive""# : #"tar -t\#(quoting: format.rawValue)f "$archive" --quoting-style=literal"#
        let unpack: ShellText =
            format == .zip
            ? #"unzip -qo "$archive" -d "$directory""#
            : #"tar -x\#(quoting: format.rawValue)f "$archive" -C "$directory" --no-same-owner --strip-components=\#(stripped)"#
        return #"""
            digest=$(sha256sum <"$archive") digest=${digest%% *}
            [ "$digest" = \#(quoting: source.digest) ] || {
                echo \#(quoting: source.location) "has the SHA-256 $digest, and not \#(inDoubleQuotes: source.digest)"
                exit 1
            }
            \#(list) | while IFS= read -r name; do
                part=\#(stripped)
                while [ $part -gt 0 ]; do case $name in */*) name=${name#*/} ;; *) name= ;; esac; part=$((part - 1)); done
                [ -n "$name" ] || continue
                holder "$directory/$name" || exit
                [ -z "$holder" ] || {
                    echo "$directory/$name is in a directory of $holder, and what an archive holds is root's:" \
                        "name a directory in which everything is root's"
                    exit 1
                }
                case $name in */) ;; *) keep "$directory/$name" ;; esac
            done
            \#(unpack)
            sync -f "$directory"
            """#
    }
}
