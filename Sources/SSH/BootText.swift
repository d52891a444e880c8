/// What is sent to `/bin/sh` on the host first: it makes it the server of this program's requests.
///
/// The shell reads commands, and so its own parser frames the scripts: `run ID 'script'`. Each script gets a shell
/// of its own (a syntax error stays in there) in a session of its own (so that it can be ended as a whole). The
/// server goes straight back to reading, which makes ending a script possible over the same stream: `stop TERM`.
/// Both streams end with a mark that holds the ID, because they arrive independently of each other.
///
/// - `mark ID STATUS` ends both outputs.
/// - `ask ID SCRIPT` runs a script that only looks, in a subshell of the server: no further program is started for it.
/// - `run ID SCRIPT` runs a script that is ended when the controller vanishes. Its helper, process `p`, keeps the
///   lock (file 9) until the outcome is written down; a signal that comes before it is ready must not end it, hence
///   the traps round the fork.
/// - `finish ID SCRIPT` runs a script that outlives the controller, and keeps the lock as long. It writes to files,
///   so that a line that is cut can neither break nor stall it; the files are followed for the listener.
/// - `stop TERM` ends the running script, `stop HUP` by force.
/// - `halt` asks the running script to end at the next point that suits it: it makes the file `$DROVER_HALT`, for which
///   the script is to look. The same happens when the controller vanishes.
/// - `beat SECONDS` ends everything unless it comes again in time: a host cannot see that a line is dead.
/// - `leave` runs when the stream from the controller ends.
///
/// A script reaches its shell through a pipe, as a file to read: no list of processes shows it, there is no limit to its
/// length, and no further program is needed. A converged host should start few.
///
/// Every process that may outlive its script gives up the lock and the outputs, or the session would never end.
/// Tried in dash, bash and busybox.
struct BootText {
    /// The mark that says how the boot went.
    var id: RequestID
    /// The file to lock, or nil to only look: then nothing is written on the host.
    var lock: Lock?
    /// After how long without a sign of life from the controller to end everything.
    var silenceLimit: Duration

    struct Lock {
        var file: String
        /// How long to wait for another run to give up the lock.
        var wait: Duration
        /// Who is to be told to whom the lock is refused meanwhile.
        var holder: String
        /// Where outcomes and outputs are kept.
        var stateDirectory: String
    }

    /// The exit status that says that another run holds the lock; the output then tells who.
    static let lockedStatus: Int32 = 75
    /// The request that keeps the shell alive, to be sent three times in the silence limit.
    var heartbeat: String { "beat \(silenceLimit.shellSeconds)\n" }
    /// The request that sends a signal to the running script.
    static func stop(_ signal: String) -> String { "stop \(signal)\n" }
    /// The request that asks the running script to end at the next point that suits it.
    static let halt = "halt\n"
    /// Said before the stream ends when no script is running, so that no stale process is ended.
    static let farewell = "p= f=\n"
    /// The second line of the lock's file when its holder is gone, and only its last step keeps the lock.
    static let orphaned = "gone"

    /// A request to run a script.
    static func request(_ id: RequestID, _ script: String, _ policy: AbandonmentPolicy) -> String {
        let verb =
            switch policy {
            case .look: "ask"
            case .end: "run"
            case .finish: "finish"
            }
        return "\(verb) \(id) \(script.shellQuoted)\n"
    }

    /// What the boot itself has printed: a login shell may have printed before.
    func output(of bytes: [UInt8]) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.ranges(of: greeting).last.map { Array(text[$0.upperBound...].utf8) } ?? bytes
    }

    private var greeting: String { "\u{1e}\(id)\u{1e}" }

    var text: String {
        """
        \(Self.server)
        printf '\\036\(id)\\036'
        \(lock.map(taking) ?? "")
        beat \(silenceLimit.shellSeconds)
        mark \(id) 0

        """
    }

    /// `command` keeps a redirection that fails from ending the shell. Until the lock is ours, nothing of the state directory
    /// is: `$d` is set only then.
    private func taking(_ lock: Lock) -> String {
        let file = lock.file.shellQuoted
        return """
            e=\(lock.stateDirectory.shellQuoted) l=\(file)
            { [ -d "$e" ] || mkdir -p -m 700 "$e"; } && command exec 9<>"$l" || { mark \(id) 73; exit; }
            flock -E \(Self.lockedStatus) -w \(lock.wait.shellSeconds) 9 || { s=$?; cat <&9; mark \(id) $s; exit; }
            echo \(lock.holder.shellQuoted) >"$l"
            d=$e DROVER_HALT=$e/halt; export DROVER_HALT
            [ ! -e "$DROVER_HALT" ] || rm -f "$DROVER_HALT"
            [ ! -f "$d/last" ] || { read -r s <"$d/last"; echo "$s"; }
            """
    }

    private static let server = #"""
        trap : HUP INT TERM
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C; export PATH LC_ALL
        umask 022; cd /
        d= p= f= w=
        mark() { printf '\036%s %d\036' "$1" "$2"; printf '\036%s %d\036' "$1" "$2" >&2; }
        kill_group() { [ -z "$g" ] || kill -$c -$g || kill -$c $g; } 2>/dev/null
        await_group() { while wait $g; s=$?; kill -0 $g; do :; done; } 2>/dev/null
        ask() {
          f=; trap '' HUP TERM
          { g= c=; trap 'c=TERM; kill_group' TERM; trap 'c=KILL; kill_group' HUP
            (q=$2; set --; eval "$q") </dev/null 9>&- & g=$!
            [ -z "$c" ] || kill_group
            await_group
            mark "$1" $s
          } & p=$!
          trap : HUP TERM
        }
        run() {
          f=; trap '' HUP TERM
          { g= c=; trap 'c=TERM; kill_group' TERM; trap 'c=KILL; kill_group' HUP
            printf 'exec 3<&-;%s' "$2" | setsid sh /dev/fd/3 3<&0 </dev/null 9>&- & g=$!
            [ -z "$c" ] || kill_group
            await_group
            [ -z "$d" ] || echo "$1 $s" >"$d/last"
            mark "$1" $s
          } & p=$!
          trap : HUP TERM
        }
        finish() {
          trap '' HUP TERM USR1 USR2
          { g= c=; trap : HUP TERM; trap 'c=TERM; kill_group' USR1; trap 'c=KILL; kill_group' USR2
            : >"$d/output" >"$d/error"
            printf %s "$2" | setsid sh -c 's=$(cat); exec </dev/null >"$1/output" 2>"$1/error"
              (exec 9>&-; eval "$s"); s=$?; echo "$2 $s" >"$1/last"; exit $s' sh "$d" "$1" & g=$!
            exec 9>&-
            [ -z "$c" ] || kill_group
            tail -s 0.02 -c +1 --pid=$g -f "$d/output" 2>/dev/null & o=$!
            tail -s 0.02 -c +1 --pid=$g -f "$d/error" >&2 2>/dev/null & e=$!
            await_group
            { while wait $o; kill -0 $o; do :; done; while wait $e; kill -0 $e; do :; done; } 2>/dev/null
            mark "$1" $s
          } & f=$! p=
          trap : HUP TERM; trap - USR1 USR2
        }
        stop() {
          if [ -n "$p" ]; then kill -$1 $p
          elif [ -n "$f" ]; then case $1 in TERM) kill -USR1 $f ;; *) kill -USR2 $f ;; esac; fi
        } 2>/dev/null
        halt() { [ -z "$d" ] || : >"$DROVER_HALT"; }
        orphan() { [ -z "$p$f" ] || halt; [ -z "$f" ] || ! kill -0 $f || echo \#(orphaned) >>"$l"; } 2>/dev/null
        beat() {
          [ -z "$w" ] || kill -KILL $w
          { sleep $1; trap : HUP TERM; orphan; kill -TERM 0; sleep 10; kill -HUP 0; sleep 1; kill -KILL 0; } \
            >/dev/null 2>&1 9>&- & w=$!
        }
        leave() {
          [ -z "$w" ] || kill -KILL $w
          orphan
          [ -z "$p" ] || {
            kill -TERM $p; { sleep 10; kill -HUP $p; } >/dev/null 9>&- & w=$!; wait $p; kill -KILL $w; }
        } 2>/dev/null
        trap leave EXIT
        """#
}

extension Duration {
    /// Seconds with three decimals, as `sleep` and `flock` read them.
    var shellSeconds: String {
        let milliseconds = self / .milliseconds(1)
        let whole = Int(milliseconds.rounded())
        let fraction = String(whole % 1000)
        return "\(whole / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
