import Engine
import Secrets
import TestSupport

/// Carries out changes as a host does, with programs of the test's own in place of some of the host's.
enum HostShell {
    /// - Parameter programs: the shell text of each program that is replaced, by name.
    static func run(_ changes: [Change], with programs: [String: String] = [:]) async throws -> ShellRun {
        let files = programs.mapValues { "#!/bin/sh\n\($0)\n" }
        let directory = try TemporaryDirectory(files)
        let path = ShellText.quoting(directory.path)
        let replacing: ShellText = programs.isEmpty ? "" : "PATH=\(path):$PATH; chmod +x \(path)/*\n"
        let prologue: ShellText =
            "journal=\nPATH=$PATH:/usr/sbin:/sbin\n\(JournalScript.functions)\(replacing)"
        let steps = changes.map {
            "( set -e\n\($0.script)\n); status=$?; [ $status = 0 ] || exit $status\n" as ShellText
        }
        return try await ShellRun.of((prologue + steps.joined()).reveal())
    }
}
