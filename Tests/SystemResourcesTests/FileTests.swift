import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("File")
struct FileTests {
    private static let motd = File("/etc/motd", containing: "hello\nworld\n")

    private static func facts(_ status: FileStatus.Attributes?, _ content: FileContent.Answer) -> Facts {
        var facts = Facts()
        facts.record(status, to: FileStatus("/etc/motd"))
        facts.record(content, to: FileContent("/etc/motd", expected: "hello\nworld\n"))
        return facts
    }

    private static let rows: [(status: FileStatus.Attributes?, content: FileContent.Answer, expected: [String])] = [
        (.file(), .asExpected, []),
        (nil, .absent, ["write /etc/motd"]),
        (.file(), .different("hello\n"), ["write /etc/motd"]),
        (.file(0o600), .asExpected, ["set mode 0600 → 0644 of /etc/motd"]),
        (.file(owner: "a", group: "b"), .asExpected, ["set owner a:b → root:root of /etc/motd"]),
        (
            .file(0o4755, owner: "a"), .asExpected,
            ["set owner a:root → root:root, mode 4755 → 0644 of /etc/motd"]
        ),
        (.file(0o600, owner: "a"), .different(""), ["write /etc/motd"]),
        (.directory(), .absent, ["write /etc/motd"]),
        (.other("symbolic link"), .absent, ["write /etc/motd"]),
        (.other("symbolic link"), .asExpected, ["write /etc/motd"]),
    ]

    @Test("changes what is not as declared", arguments: rows)
    func decides(status: FileStatus.Attributes?, content: FileContent.Answer, expected: [String]) throws {
        let changes = try Self.motd.changes(given: Self.facts(status, content), after: PendingEffects())
        #expect(changes.map(\.summary) == expected)
        #expect(changes.flatMap(\.effects) == (expected.first == "write /etc/motd" ? [.writes("/etc/motd")] : []))
    }

    @Test("shows what changes")
    func diff() throws {
        let facts = Self.facts(.file(), .different("hello\nmoon\n"))
        let change = try only(Self.motd.changes(given: facts, after: PendingEffects()))
        #expect(change.diff?.text == ["@@ -1,2 +1,2 @@", " hello", "-moon", "+world"])
    }

    @Test("neither the new secrets nor the old ones are in a plan")
    func secrets() throws {
        var content: MaskedText = "user: app\npassword: "
        content.append(Secret("new-secret"))
        content.append("\nport: 1\n")
        let file = File("/f", containing: content)
        var facts = Facts()
        facts.record(.file(), to: FileStatus("/f"))
        facts.record(
            .different("user: app\npassword: old-secret\nport=2\nfree text\n\n"),
            to: FileContent("/f", expected: content.reveal()))
        let change = try only(file.changes(given: facts, after: PendingEffects()))
        #expect(
            change.diff?.text == [
                "@@ -1,5 +1,3 @@", " user: app", "-password: ‹hidden›", "-port= ‹hidden›", "-‹hidden›", "-",
                "+password: ‹secret›", "+port: 1",
            ])
        for text in ["\(change)", change.script.description] {
            #expect(!text.contains("new-secret"))
            #expect(!text.contains("old-secret"))
            #expect(!text.contains("dXNlcjogYXBw"), "base64 is no mask")
        }
    }

    @Test(
        "the content before a new secret is not kept for a rollback; that before any other change is",
        arguments: [("password: old\nport: 1\n", true), ("password: new\nport: 1\n", false), (nil, false)])
    func purges(old: String?, isPurged: Bool) throws {
        var content: MaskedText = "password: "
        content.append(Secret("new"))
        content.append("\nport: 2\n")
        let file = File("/f", containing: content)
        var facts = Facts()
        facts.record(old.map { _ in .file() }, to: FileStatus("/f"))
        facts.record(old.map { .different($0) } ?? .absent, to: FileContent("/f", expected: content.reveal()))
        let change = try only(file.changes(given: facts, after: PendingEffects()))
        #expect(change.script.description.hasPrefix("purge /f\n") == isPurged, "\(change.script)")
    }

    @Test("an old file that not everybody may read shows no value, nor what only looks like one")
    func hidesOldSecrets() throws {
        let file = File("/f", containing: "port: 2\n", mode: 0o640)
        var facts = Facts()
        facts.record(.file(), to: FileStatus("/f"))
        facts.record(
            .different("\"pgbouncer\" \"q83v==\"\npassword=x\n"), to: FileContent("/f", expected: "port: 2\n"))
        let change = try only(file.changes(given: facts, after: PendingEffects()))
        #expect(change.diff?.text == ["@@ -1,2 +1,1 @@", "-‹hidden›", "-password= ‹hidden›", "+port: 2"])
    }
}
