import FoundationEssentials
import Glibc

/// A directory whose owner, another user than root, swaps everything in it for links to what is root's, without a pause.
public struct HostileOwner {
    /// Below it, `home` belongs to the owner and `canary` to root.
    public let directory: TemporaryDirectory
    public static let user = "nobody"
    /// What only root can read.
    public static let secret = "canary-secret"

    /// Whether tests can run scripts as root and the owner as somebody else.
    public static let isPossible = geteuid() == 0

    /// What is swapped for a link to the canary, which has entries of the same names.
    public var swapped: String { "\(directory.path)/home/d" }

    /// - Parameter names: the files in the canary; a name with a slash is a file in a directory.
    public init(canary names: [String]) async throws {
        directory = try TemporaryDirectory(
            Dictionary(uniqueKeysWithValues: names.map { ("canary/\($0)", Self.secret + "\n") }))
        let made = try await ShellRun.of(
            """
            cd \(directory.path) && chmod 755 . && mkdir -p home/d kept && chmod 700 kept
            find canary -type f -exec chmod 600 {} +
            find canary -type d -exec chmod 755 {} +
            chown -R \(Self.user): home
            """)
        guard made.status == 0 else { throw Failure(run: made) }
    }

    private struct Failure: Error { let run: ShellRun }

    /// All that can be seen of the canary: names, owners, modes, times and contents.
    public func canary() async throws -> String {
        try await ShellRun.of(
            "cd \(directory.path)/canary && find . -printf '%p %m %u:%g %s %T@ %y\\n' | sort && grep -r . . | sort"
        ).output
    }

    /// Runs a script again and again while the owner swaps.
    ///
    /// - Parameters:
    ///   - names: what else in the directory is swapped for a link to what has the same name in the canary.
    ///   - script: it may use `$as_owner COMMAND…`, which does what the owner does.
    ///   - prologue: what the script needs, once.
    /// - Returns: the run, and the files of the owner that hold the secret.
    public func attack(
        _ script: String, times: Int, swapping names: [String] = [], prologue: String
    ) async throws -> (run: ShellRun, leaks: String) {
        let root = directory.path
        let run = try await ShellRun.of(
            """
            PATH=$PATH:/usr/sbin:/sbin
            journal=\(root)/journal kept=\(root)/kept
            as_owner="setpriv --reuid=\(Self.user) --regid=$(id -g \(Self.user)) --clear-groups --"
            $as_owner perl -e '\(Self.swapping)' \(root)/home \(root)/canary \(names.joined(separator: " ")) &
            attacker=$!
            trap 'kill $attacker 2>/dev/null' EXIT
            until [ -e \(root)/home/ready ]; do kill -0 $attacker || exit 99; done
            \(prologue)
            turn=0
            while [ $turn -lt \(times) ]; do
            ( set -e
            \(script)
            ) 2>&1
            turn=$((turn + 1))
            done
            exit 0
            """)
        let leaks = try await ShellRun.of("grep -rl \(Self.secret) \(root)/home; :").output
        return (run, leaks)
    }

    /// In turn the directory itself, a file in it, every new file and what else is named are links to the canary.
    private static let swapping = """
        my ($home, $canary, @names) = @ARGV;
        chdir $home or die;
        open my $ready, ">", "ready" or die;
        for (my $turn = 0;; $turn++) {
            if (opendir my $entries, "d") {
                for (grep { /drover/ } readdir $entries) { unlink "d/$_"; symlink "$canary/f", "d/$_" }
            }
            symlink "$canary/f", "d/f" if $turn % 3 == 0;
            select undef, undef, undef, rand() / 1000 if $turn % 2;
            unlink "d/f" if $turn % 3 == 1;
            if (@names) {
                my $name = $names[$turn % @names];
                if (rename "d/$name", "spare") {
                    symlink "$canary/$name", "d/$name";
                    select undef, undef, undef, rand() / 100;
                    unlink "d/$name";
                    rename "spare", "d/$name";
                    next if rand() < 0.7;
                }
            }
            rename "d", "real" or next;
            symlink $canary, "d";
            select undef, undef, undef, rand() / 1000;
            unlink "d";
            rename "real", "d";
        }
        """
}
