import Foundation
import Testing

/// The programs that a login session on a lab host starts, seen from outside the host by tracing its SSH server.
struct ProgramTrace {
    private let tracer: String
    private let file: String

    /// - Parameter whole: whether arguments and environments are written down to their last character.
    static func begin(on host: String, in lab: TestLab, whole: Bool = false) async throws -> ProgramTrace {
        let file = "\(lab.folder)/\(host).trace"
        let result = try await Command.run([
            "sh", "-c",
            """
            for pid in $(ip netns pids "drover-$1.$2"); do
                [ "$(cat /proc/$pid/comm)" != sshd ] || { server=$pid; break; }
            done
            strace -f $4 -e trace=execve -e signal=none -o "$3" -p "$server" </dev/null >/dev/null 2>"$3.log" &
            echo $!
            until grep -q attached "$3.log"; do kill -0 $! || exit 1; done
            """, "sh", lab.name, host, file, whole ? "-v -s 1000000" : "",
        ])
        try #require(result.status == 0, "\(result.everything)")
        return ProgramTrace(tracer: String(result.output.prefix { $0 != "\n" }), file: file)
    }

    /// - Returns: all that was written down.
    func endWhole() async throws -> String {
        _ = try await Command.run(["sh", "-c", "kill -INT $1; while kill -0 $1 2>/dev/null; do :; done", "sh", tracer])
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    /// - Returns: the programs that ran since the login was over, which belong to the SSH server and to PAM.
    func end() async throws -> [String] {
        let result = try await Command.run([
            "sh", "-c", "kill -INT $1; while kill -0 $1 2>/dev/null; do :; done; grep 'execve(.*= 0$' $2", "sh", tracer,
            file,
        ])
        let lines = result.output.linesOfOutput
        let session = try #require(lines.firstIndex { $0.contains(#""exec /bin/sh""#) }, "\(result.everything)")
        return Array(lines[session...])
    }
}
