import Drover
import TestSupport
import Testing

@testable import SystemResources

/// What the plan shows and what the host does must be the same.
@Suite("File edits")
struct FileEditTests {
    private struct Row: Sendable {
        var edit: any FileEdit & Sendable
        var old: [String]
        var new: [String]
    }

    private static func line(_ key: LineEdit.Key, _ rules: (String, String?)...) -> LineEdit {
        LineEdit(key: key, rules: rules.map { LineEdit.Rule(subject: $0.0, line: $0.1) })
    }

    private static let mount = line(.field(2), ("/srv", "tmpfs /srv tmpfs size=1m 0 0"))
    private static let locales = line(.entry, ("de_DE.UTF-8 UTF-8", "de_DE.UTF-8 UTF-8"), ("x X", "x X"))
    private static let hosts = BlockEdit(name: "a", lines: ["10.0.0.1 one", "it's \\n $HOME"])

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
        Row(edit: hosts, old: [], new: ["# BEGIN drover a"] + hosts.lines + ["# END drover a"]),
        Row(
            edit: hosts, old: ["x", "# BEGIN drover a", "old", "# END drover a", "y"],
            new: ["x", "# BEGIN drover a"] + hosts.lines + ["# END drover a", "y"]),
        Row(
            edit: hosts, old: ["# BEGIN drover b", "b", "# END drover b", "# END drover a"],
            new: ["# BEGIN drover b", "b", "# END drover b", "# END drover a", "# BEGIN drover a"] + hosts.lines
                + ["# END drover a"]),
        Row(
            edit: hosts, old: ["# BEGIN drover a", "theirs", "# BEGIN drover a", "old", "# END drover a", "y"],
            new: ["# BEGIN drover a"] + hosts.lines + ["# END drover a", "theirs", "y"]),
        Row(
            edit: hosts, old: ["x", "# BEGIN drover a", "theirs"],
            new: ["x", "# BEGIN drover a"] + hosts.lines + ["# END drover a", "theirs"]),
        Row(
            edit: BlockEdit(name: "a", lines: []), old: ["x", "# BEGIN drover a", "old", "# END drover a", "y"],
            new: ["x", "y"]),
        Row(edit: BlockEdit(name: "a", lines: []), old: ["x"], new: ["x"]),
        Row(edit: WholeText(lines: ["a", "%s\\n"]), old: ["x"], new: ["a", "%s\\n"]),
        Row(edit: WholeText(lines: []), old: ["x"], new: []),
    ]

    @Test("do on the host what they do in the plan, and nothing the second time", arguments: rows)
    private func agree(row: Row) async throws {
        #expect(row.edit.edited(row.old) == row.new)
        #expect(row.edit.edited(row.new) == row.new)
        let directory = try TemporaryDirectory(["it's f": row.old.map { $0 + "\n" }.joined()])
        let run = try await ShellRun.of(row.edit.command(on: directory.path + "/it's f"))
        #expect(run.errorOutput == "")
        #expect(run.output.linesOfText == row.new)
    }

    private func facts(_ file: SharedFile) async throws -> Facts {
        var facts = Facts()
        try facts.read(await ShellRun.of(FileLines.script(for: [file.lines])).output, for: [file.lines])
        return facts
    }

    @Test("two that were decided by the same look at a file both stay, as does what came after that look")
    func together() async throws {
        let directory = try TemporaryDirectory(["fstab": "a / ext4"])
        let file = SharedFile(path: directory.path + "/fstab")
        let facts = try await facts(file)
        let changes = try ["/x", "/y"].compactMap { path in
            let rule = LineEdit.Rule(subject: path, line: "tmpfs \(path)")
            return try file.change("write \(path)", by: LineEdit(key: .field(2), rules: [rule]), given: facts)
        }
        #expect(
            changes.map { $0.diff?.text ?? [] }
                == ["/x", "/y"].map { ["@@ -1,1 +1,2 @@", " a / ext4", "+tmpfs \($0)"] })
        _ = try await ShellRun.of("chmod 0640 \(file.path); printf '\\n# by hand\\n' >>\(file.path)")
        #expect(try await HostShell.run(changes) == .silent)
        #expect(try directory.text(of: "fstab") == "a / ext4\n# by hand\ntmpfs /x\ntmpfs /y\n")
        #expect(try await ShellRun.of("stat -c %a \(file.path)").output == "640\n")
        #expect(try directory.names == ["fstab"])
    }

    @Test("make a file that is missing")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let file = SharedFile(path: directory.path + "/hosts")
        let change = try #require(
            try file.change("write", by: BlockEdit(name: "a", lines: ["x"]), given: await facts(file)))
        #expect(try await HostShell.run([change]) == .silent)
        #expect(try directory.text(of: "hosts") == "# BEGIN drover a\nx\n# END drover a\n")
    }

    @Test("the lines of many files by one program")
    func lines() async throws {
        let directory = try TemporaryDirectory(["a:b": "x:y\n\nz", "empty": "", "it's": "\u{1}\r\n"])
        let questions = ["a:b", "empty", "it's", "none"].map { FileLines("\(directory.path)/\($0)") }
        let run = try await ShellRun.of(FileLines.script(for: questions))
        let answers = try FileLines.answers(to: questions, from: run.output)
        #expect(questions.map { answers[$0] } == [["x:y", "", "z"], [], ["\u{1}\r"], []])
    }
}
