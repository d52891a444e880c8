import Drover
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("User")
struct UserTests {
    private static let rows: [(entry: UserEntry.Entry?, summaries: [String], commands: [String])] = [
        (.init(home: "/var/lib/it's", shell: "/bin/sh"), [], []),
        (
            nil, ["add user app"],
            [
                "useradd --system --user-group --no-create-home --home-dir /var/lib/it's --shell /bin/sh -- app"
            ]
        ),
        (
            .init(home: "/", shell: "/bin/sh"),
            ["set home / → /var/lib/it's, shell /bin/sh → /bin/sh of user app"],
            ["usermod --home /var/lib/it's --shell /bin/sh -- app"]
        ),
        (
            .init(home: "/var/lib/it's", shell: "/bin/bash"),
            ["set home /var/lib/it's → /var/lib/it's, shell /bin/bash → /bin/sh of user app"],
            ["usermod --home /var/lib/it's --shell /bin/sh -- app"]
        ),
    ]

    @Test("is added or set right", arguments: rows)
    func decides(entry: UserEntry.Entry?, summaries: [String], commands: [String]) async throws {
        var facts = Facts()
        facts.record(entry, to: UserEntry("app"))
        let changes = try User("app", home: "/var/lib/it's", shell: "/bin/sh")
            .changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == summaries)
        let run = try await HostShell.run(
            changes, with: ["useradd": "echo useradd \"$@\"", "usermod": "echo usermod \"$@\""])
        #expect(run.output.linesOfText == commands)
    }
}
