import Programs
import Subprocess
import SystemPackage

/// How a shell script ended, and what it printed.
public struct ShellRun: Hashable, Sendable {
    /// The exit status, or 128 and the number of the signal that ended it.
    public var status: Int32
    public var output: String
    public var errorOutput: String

    /// A script that ended well and printed nothing.
    public static let silent = ShellRun(status: 0, output: "", errorOutput: "")

    /// Runs a script by `/bin/sh` as a host does: read from the standard input, so of any length, in the C locale, and
    /// with nothing to read.
    public static func of(_ script: String) async throws -> ShellRun {
        let result = try await run(
            .path("/bin/sh"), arguments: ["-c", "s=$(cat); exec </dev/null; eval \"$s\""],
            environment: .inherit.updating(["LC_ALL": "C"]), feeding: script, output: .string(limit: 16_777_216),
            error: .string(limit: 1_048_576))
        let status =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        return ShellRun(status: status, output: result.standardOutput, errorOutput: result.standardError)
    }

    /// Runs a script that may end its whole process group (`kill -TERM 0`) but for the shell itself, which goes on.
    public static func ofGroup(_ script: String) async throws -> ShellRun {
        let directory = try TemporaryDirectory(["script": "trap : TERM\n" + script])
        defer { withExtendedLifetime(directory) {} }
        return try await of("exec setsid --wait /bin/sh \(directory.path)/script")
    }
}
