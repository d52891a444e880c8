import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Keys of the backups")
struct BackupGateTests {
    private func run(_ command: String?, on side: BackupGate.Side) async throws -> ShellRun {
        let script = BackupGate.script.replacing("exec /usr/bin/pgbackrest", with: "printf '%s\\n' pgbackrest")
        let directory = try TemporaryDirectory(["gate": script, "x": ""])
        let variable = command.map { "SSH_ORIGINAL_COMMAND=\(shellQuoted($0))" } ?? ""
        return try await ShellRun.of("cd '\(directory.path)' && \(variable) sh ./gate \(side.rawValue)")
    }

    private func shellQuoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

    /// As pgBackRest 2.45 asks the far end.
    private static let options =
        "--exec-id=7-1a2b --log-level-console=off --log-level-file=off --log-level-stderr=error --process=0 --stanza=lab"

    @Test(
        "pgBackRest reaches its far end",
        arguments: [
            (.repository, "archive-push:remote"), (.repository, "archive-get:remote"), (.repository, "info:remote"),
            (.repository, "restore:remote"), (.server, "backup:remote"), (.server, "stanza-create:remote"),
        ] as [(BackupGate.Side, String)])
    func protocolPasses(side: BackupGate.Side, role: String) async throws {
        let words = "\(Self.options) --pg1-path=/var/lib/postgresql/15/main --remote-type=\(side.rawValue) \(role)"
        let run = try await run("/usr/bin/pgbackrest \(words)", on: side)
        #expect(run.output == "pgbackrest\n" + words.replacing(" ", with: "\n") + "\n")
        #expect(run.status == 0)
    }

    @Test(
        "everything else is refused",
        arguments: [
            nil, "", "sh", "pgbackrest", "pgbackrest version", "pgbackrest --stanza=lab expire",
            "pgbackrest stanza-delete",
            "pgbackrest --stanza=lab --force stanza-delete", "rm -rf /",
            "pgbackrest --remote-type=repo stanza-delete:remote",
            "pgbackrest --remote-type=repo repo-rm:remote", "pgbackrest --remote-type=repo repo-put:remote",
            "pgbackrest --remote-type=repo expire", "pgbackrest archive-push:remote",
            "pgbackrest --remote-type=pg archive-push:remote", "pgbackrest --remote-type=pg backup:remote",
            "pgbackrest --remote-type=repo --config=/tmp/x archive-push:remote",
            "pgbackrest --remote-type=repo --config-include-path=/tmp archive-push:remote",
            "pgbackrest --remote-type=repo --repo1-path=/ archive-push:remote",
            "pgbackrest --remote-type=repo --repo1-type=s3 archive-push:remote",
            "pgbackrest --remote-type=repo --log-path=/home/keeper/.ssh archive-push:remote",
            "pgbackrest --remote-type=repo --lock-path=/x archive-push:remote",
            "pgbackrest --remote-type=repo --cmd-ssh=/x archive-push:remote",
            "pgbackrest --remote-type=repo archive-push:remote expire", "pgbackrest --remote-type=repo -- expire",
            "pgbackrest --remote-type=repo archive-push:remote\nexpire",
            "pgbackrest --remote-type=repo archive-push:remote; id",
            "pgbackrest --remote-type=repo $(id) archive-push:remote",
            "/tmp/pgbackrest --remote-type=repo archive-push:remote",
            "pgbackrest --remote-type=repo * archive-push:remote",
        ])
    func refused(command: String?) async throws {
        let run = try await run(command, on: .repository)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errorOutput.hasPrefix("refused: "), "\(run)")
    }
}
