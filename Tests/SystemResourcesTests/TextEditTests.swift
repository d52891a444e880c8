import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Text edits")
struct TextEditTests {
    private struct Row: Sendable {
        var edit: @Sendable ([MaskedText]) throws -> [MaskedText]
        var old: [String]
        var new: [String]

        init(edit: KeyedLines, old: [String], new: [String]) {
            (self.edit, self.old, self.new) = (edit.edited, old, new)
        }

        init(edit: MarkedLines, old: [String], new: [String]) {
            (self.edit, self.old, self.new) = (edit.edited, old, new)
        }
    }

    private static func line(_ key: KeyedLines.Key, _ rules: (String, String?)...) -> KeyedLines {
        KeyedLines(key: key, rules: rules.map { KeyedLines.Rule(subject: $0.0, line: $0.1) })
    }

    private static func block(_ lines: [String]?) -> MarkedLines {
        MarkedLines(markers: .init("a"), content: lines.map { $0.map { MaskedText($0) } }, place: .end)
    }

    private static let mount = line(.field(2), ("/srv", "tmpfs /srv tmpfs size=1m 0 0"))
    private static let locales = line(.entry, ("de_DE.UTF-8 UTF-8", "de_DE.UTF-8 UTF-8"), ("x X", "x X"))
    private static let entries = ["10.0.0.1 one", "it's \\n $HOME"]
    private static let hosts = block(entries)

    private static let rows: [Row] = [
        Row(edit: mount, old: [], new: ["tmpfs /srv tmpfs size=1m 0 0"]),
        Row(edit: mount, old: ["# x /srv", "a /", ""], new: ["# x /srv", "a /", "", "tmpfs /srv tmpfs size=1m 0 0"]),
        Row(
            edit: mount, old: ["a / b", "\tx\t/srv  y", "# comment", "c /srv", "d /srv2 c"],
            new: ["a / b", "tmpfs /srv tmpfs size=1m 0 0", "# comment", "d /srv2 c"]),
        Row(edit: mount, old: [" #a /srv b", "#a /srv"], new: [" #a /srv b", "#a /srv", mount.rules[0].line ?? ""]),
        Row(edit: line(.field(3), ("swap", nil)), old: ["a none swap sw", "b / ext4", "c x swap"], new: ["b / ext4"]),
        Row(edit: line(.field(1), ("1e1", "1e1 x")), old: ["10 y"], new: ["10 y", "1e1 x"]),
        Row(
            edit: locales, old: ["# a", "# de_DE.UTF-8 UTF-8  ", "# de_DE.UTF-8 UTF-8 x", "x X", "#x X"],
            new: ["# a", "de_DE.UTF-8 UTF-8", "# de_DE.UTF-8 UTF-8 x", "x X"]),
        Row(edit: locales, old: ["", "#", "   "], new: ["", "#", "   ", "de_DE.UTF-8 UTF-8", "x X"]),
        Row(
            edit: line(.word, ("AAA=", "ssh-x AAA= it's\\t"), ("BBB", nil)),
            old: ["from=\"a b\" ssh-x AAA= c", "ssh-x AAA=A", "#ssh-x AAA= d", "ssh-x BBB", "BBB"],
            new: ["ssh-x AAA= it's\\t", "ssh-x AAA=A"]),
        Row(edit: line(.word), old: ["a"], new: ["a"]),
        Row(edit: hosts, old: [], new: ["# BEGIN drover a"] + entries + ["# END drover a"]),
        Row(
            edit: hosts, old: ["x", "# BEGIN drover a", "old", "# END drover a", "y"],
            new: ["x", "# BEGIN drover a"] + entries + ["# END drover a", "y"]),
        Row(
            edit: hosts, old: ["# BEGIN drover b", "b", "# END drover b"],
            new: ["# BEGIN drover b", "b", "# END drover b", "# BEGIN drover a"] + entries + ["# END drover a"]),
        Row(edit: block(nil), old: ["x", "# BEGIN drover a", "old", "# END drover a", "y"], new: ["x", "y"]),
        Row(edit: block(nil), old: ["x"], new: ["x"]),
    ]

    @Test("make the wanted lines of those that are there, and nothing the second time", arguments: rows)
    private func edits(row: Row) throws {
        #expect(try row.edit(row.old.map { MaskedText($0) }).map { $0.reveal() } == row.new)
        #expect(try row.edit(row.new.map { MaskedText($0) }).map { $0.reveal() } == row.new)
    }

    private func edit(of path: String, toMount paths: String...) -> TextEdit {
        let rules = paths.map { KeyedLines.Rule(subject: $0, line: "tmpfs \($0)") }
        return TextEdit(
            path: path, createsFile: true, summary: "write \(paths.joined(separator: " "))",
            edit: KeyedLines(key: .field(2), rules: rules).edited)
    }

    /// The changes of some edits that are decided by the same look at the file.
    private func changes(_ edits: TextEdit...) async throws -> [Change] {
        var facts = Facts()
        var pending = PendingEffects()
        var changes: [Change] = []
        for edit in edits {
            let (status, entry) = (FileStatus(edit.path), PathEntry(edit.path))
            try facts.read(await ShellRun.of(FileStatus.script(for: [status]).reveal()).output, for: [status])
            try facts.read(await ShellRun.of(PathEntry.script(for: [entry]).reveal()).output, for: [entry])
            let next = try edit.changes(given: facts, after: pending)
            pending.add(next)
            changes += next
        }
        return changes
    }

    @Test("two that were decided by the same look at a file both stay")
    func together() async throws {
        let directory = try TemporaryDirectory(["fstab": "a / ext4"])
        let path = directory.path + "/fstab"
        let (x, y) = (edit(of: path, toMount: "/x"), edit(of: path, toMount: "/y"))
        let changes = try await changes(x, y)
        #expect(
            changes.map { $0.diff?.text ?? [] } == [
                ["@@ -1,1 +1,2 @@", " a / ext4", "+tmpfs /x"],
                ["@@ -1,2 +1,3 @@", " a / ext4", " tmpfs /x", "+tmpfs /y"],
            ])
        _ = try await ShellRun.of("chmod 0640 \(path)")
        #expect(try await HostShell.run(changes) == .silent)
        #expect(try directory.text(of: "fstab") == "a / ext4\ntmpfs /x\ntmpfs /y\n")
        #expect(try await ShellRun.of("stat -c %a \(path)").output == "640\n")
        #expect(try directory.names == ["fstab"])
        #expect(try await self.changes(x, y).isEmpty)
    }

    @Test("what came after the look at a file stays, and the next run goes on from there")
    func meanwhile() async throws {
        let directory = try TemporaryDirectory(["fstab": "a / ext4\n"])
        let path = directory.path + "/fstab"
        let (x, y) = (edit(of: path, toMount: "/x"), edit(of: path, toMount: "/y"))
        let late = try await changes(x, y)
        _ = try await ShellRun.of("echo '# by hand' >>\(path)")
        let run = try await HostShell.run(late)
        #expect(run.status == 1)
        #expect(run.output == "\(path) has changed since it was looked at; run the same command again\n")
        #expect(try directory.text(of: "fstab") == "a / ext4\n# by hand\n")
        #expect(try await HostShell.run(changes(x, y)) == .silent)
        #expect(try directory.text(of: "fstab") == "a / ext4\n# by hand\ntmpfs /x\ntmpfs /y\n")
    }

    @Test("make a file that is missing, unless nothing would be in it")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/fstab"
        #expect(try await changes(edit(of: path)).isEmpty)
        let changes = try await changes(edit(of: path, toMount: "/x"))
        #expect(try await HostShell.run(changes) == .silent)
        #expect(try directory.text(of: "fstab") == "tmpfs /x\n")
    }

    @Test("go on with a command when the file is written, and only then")
    func afterwards() async throws {
        let directory = try TemporaryDirectory(["fstab": ""])
        var edit = edit(of: directory.path + "/fstab", toMount: "/x")
        edit.afterwards = "cat \(quoting: edit.path)"
        let changes = try await changes(edit)
        #expect(try await HostShell.run(changes).output == "tmpfs /x\n")
        let late = try await HostShell.run(changes)
        #expect(late.status == 1)
        #expect(!late.output.contains("tmpfs"))
    }
}
