import Diagnostics
import Programs
import Subprocess

/// Programs of this machine that the lab runs.
enum Program {
    /// The programs that the lab needs, and the Debian package of each.
    static let packages = [
        "apt-ftparchive": "apt-utils",
        "busybox": "busybox",
        "ip": "iproute2",
        "mmdebstrap": "mmdebstrap",
        "nsenter": "util-linux",
        "ssh-keygen": "openssh-client",
        "systemd-nspawn": "systemd-container",
    ]

    /// - Throws: a diagnostic that names the packages to install when a program of ``packages`` is missing.
    static func checkAll() async throws(Diagnostic) {
        var missing: [String: String] = [:]
        for (program, package) in packages {
            let path = try? await Executable.name(program).resolveExecutablePath(in: .inherit)
            if path == nil { missing[program] = package }
        }
        guard !missing.isEmpty else { return }
        let programs = missing.keys.sorted().joined(separator: ", ")
        throw Diagnostic(
            "the lab needs programs that are not installed: \(programs)",
            remedy: "run 'apt install \(missing.values.sorted().joined(separator: " "))'")
    }

    /// Runs a program to its end.
    ///
    /// - Parameter input: what the program reads from its standard input.
    /// - Returns: what it printed on its standard output.
    /// - Throws: a diagnostic with the last line of its complaint when it fails.
    @discardableResult
    static func run(_ command: [String], input: String = "") async throws -> String {
        let result = try await Programs.run(
            .name(command[0]), arguments: Arguments(Array(command.dropFirst())), feeding: input,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else {
            let complaint = result.standardError.split(separator: "\n").last ?? "\(result.terminationStatus)"
            throw Diagnostic("'\(command.joined(separator: " ").prefix(120))' failed: \(complaint)")
        }
        return result.standardOutput
    }
}
