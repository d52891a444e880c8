import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Line")
struct LineTests {
    private struct Row: Sendable {
        var what: String
        /// The lines of the file, separated by blanks; nil when there is none.
        var old: String?
        var line = "Port=22"
        var pattern: String?
        var place = TextPlace.end
        /// Nil when nothing is to be changed.
        var new: String?
    }

    private static let rows: [Row] = [
        Row(what: "is there", old: "a Port=22 b"),
        Row(what: "is appended", old: "a b", new: "a b Port=22"),
        Row(what: "is appended to nothing", old: "", new: "Port=22"),
        Row(what: "only a part of a line", old: "#Port=22", new: "#Port=22 Port=22"),
        Row(what: "first", old: "a b", place: .start, new: "Port=22 a b"),
        Row(what: "after the last match", old: "x1 x2 y", place: .after("^x"), new: "x1 x2 Port=22 y"),
        Row(what: "before the last match", old: "x1 x2 y", place: .before("^x"), new: "x1 Port=22 x2 y"),
        Row(what: "after no match", old: "a b", place: .after("^x"), new: "a b Port=22"),
        Row(what: "before no match", old: "a b", place: .before("^x"), new: "a b Port=22"),
        Row(what: "is there, elsewhere", old: "Port=22 x", place: .after("x")),
        Row(what: "replaces the match", old: "a #Port=1 b", pattern: "^#?Port=", new: "a Port=22 b"),
        Row(what: "replaces the last match", old: "Port=1 Port=2 b", pattern: "^#?Port=", new: "Port=1 Port=22 b"),
        Row(what: "is the last match", old: "Port=1 Port=22", pattern: "^#?Port="),
        Row(
            what: "replaces a match although it is there", old: "Port=22 Port=9", pattern: "Port",
            new: "Port=22 Port=22"),
        Row(
            what: "replaces before it goes anywhere", old: "a Port=1", pattern: "Port", place: .start, new: "a Port=22"),
        Row(what: "matches nothing, but is there", old: "Port=22 a", pattern: "^#Port="),
        Row(what: "matches nothing", old: "a b", pattern: "^#Port=", place: .after("a"), new: "a Port=22 b"),
        Row(what: "an end of a line", old: "ba ab c", line: "x", pattern: "b$", new: "ba x c"),
        Row(what: "has the characters of a pattern", old: "a", line: "$1\\1&", pattern: "a", new: "$1\\1&"),
    ]

    private static func facts(_ text: String?, mode: FileMode = 0o644) -> Facts {
        var facts = Facts()
        facts.record(text.map { _ in .file(mode) }, to: FileStatus("/f"))
        facts.record(text.map { .text($0) } ?? .absent, to: PathEntry("/f"))
        return facts
    }

    private static func text(_ words: String) -> String {
        words.split(separator: " ").map { "\($0)\n" }.joined()
    }

    @Test("is put where it belongs", arguments: rows)
    private func decides(row: Row) throws {
        let resource = try Line(MaskedText(row.line), in: "/f", replacing: row.pattern, at: row.place)
        let changes = try resource.changes(given: Self.facts(row.old.map(Self.text)), after: .init())
        #expect(changes.first?.texts["/f"]?.reveal() == row.new.map(Self.text), "\(row.what)")
        #expect(changes.flatMap(\.effects) == (row.new == nil ? [] : [.writes("/f")]))
        guard let new = row.new else { return }
        #expect(try resource.changes(given: Self.facts(Self.text(new)), after: .init()).isEmpty, "\(row.what): again")
    }

    @Test("a last line without its break gets one only when something changes")
    func lastLine() throws {
        let resource = try Line("b", in: "/f")
        #expect(try resource.changes(given: Self.facts("a\nb"), after: .init()).isEmpty)
        let change = try only(resource.changes(given: Self.facts("\n\na"), after: .init()))
        #expect(change.texts["/f"]?.reveal() == "\n\na\nb\n")
        #expect(change.summary == "put the line 'b' into /f")
        #expect(change.diff?.text == ["@@ -1,3 +1,4 @@", " ", " ", " a", "+b"])
    }

    @Test("several lines and blocks of one play change the same file, each what the last one left")
    func several() throws {
        let resources: [any Resource] = [
            try Line("one", in: "/f"), try Line("two", in: "/f", at: .start),
            try Block("x", in: "/f", containing: "three", at: .after("one")), try Line("one", in: "/f"),
        ]
        var pending = PendingEffects()
        for resource in resources {
            pending.add(try resource.changes(given: Self.facts("zero\n"), after: pending))
        }
        #expect(
            pending.text(of: "/f")?.reveal()
                == "two\nzero\none\n# BEGIN drover x\nthree\n# END drover x\n")
    }

    @Test(
        "what cannot be edited is told in the plan, and fails before anything is done",
        arguments: [
            (.absent, "cannot edit /f: it did not exist when this was planned"),
            (.binary, "cannot edit /f: its content is no text in UTF-8"),
            (
                .link("/g"),
                "cannot edit /f: it is a symbolic link to /g; edit what that leads to, or put a file in its place"
            ),
            (.other, "cannot edit /f: it is no file"),
        ] as [(PathEntry.Answer, String)])
    func refuses(entry: PathEntry.Answer, sentence: String) async throws {
        var facts = Self.facts(nil)
        facts.record(entry, to: PathEntry("/f"))
        let change = try only(Line("x", in: "/f").changes(given: facts, after: .init()))
        #expect(change.summary.hasPrefix(sentence))
        #expect(change.effects == [])
        let run = try await HostShell.run([change])
        #expect(run.status == 1)
        #expect(run.output == change.summary + "\n")
    }

    @Test("a file that the play writes as a whole is not edited")
    func contradiction() throws {
        #expect(throws: Diagnostic.self) {
            try Line("x", in: "/f").changes(given: Self.facts("a\n"), after: PendingEffects([.writes("/f")]))
        }
    }

    @Test(
        "wrong parameters are told",
        arguments: [
            ("x", "f", nil, TextPlace.end, "the path 'f' is not absolute"),
            ("x", "/f/", nil, .end, "ends with a slash"), ("x", "/f\n", nil, .end, "has a line break"),
            ("x\ny", "/f", nil, .end, "it is not one line"), ("", "/f", nil, .end, "it is not one line"),
            ("x", "/f", "(", .end, "'(' is no regular expression"),
            ("x", "/f", nil, .after("["), "is no regular expression"),
        ] as [(String, String, String?, TextPlace, String)])
    func wrong(line: String, path: String, pattern: String?, place: TextPlace, sentence: String) throws {
        let error = #expect(throws: Diagnostic.self) {
            try Line(MaskedText(line), in: path, replacing: pattern, at: place)
        }
        #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }

    @Test("secrets are in no plan: neither the line's nor what stands in a file that not everybody may read")
    func secrets() throws {
        var line: MaskedText = "password="
        line.append(Secret("new-secret"))
        let resource = try Line(line, in: "/f", replacing: "^password=")
        let change = try only(
            resource.changes(given: Self.facts("password=old-secret\nother-secret\n", mode: 0o600), after: .init()))
        #expect(change.summary == "put the line 'password=‹secret›' into /f")
        #expect(change.diff?.lines.isEmpty == false)
        for text in ["\(change)", change.script.description, resource.name, "\(change.diff?.text ?? [])"] {
            #expect(!text.contains("-secret"))
            #expect(!text.contains("cGFzc3dvcmQ9"), "base64 is no mask")
        }
        #expect(change.texts["/f"]?.reveal() == "password=new-secret\nother-secret\n")
        #expect(try resource.changes(given: Self.facts("password=new-secret\n", mode: 0o600), after: .init()).isEmpty)
    }

    @Test(
        "edits a file for real, with its mode, and converges", arguments: ["f", "two words", "it's", "-n", #"a\x2d"#])
    func edits(name: String) async throws {
        let directory = try TemporaryDirectory([name: "a\nb"])
        let path = "\(directory.path)/\(name)"
        _ = try await ShellRun.of("chmod 640 \(ShellText.quoting(path))")
        let line = try Line("it's $HOME \\", in: path, replacing: "^b")
        #expect(try await ThisMachine.ensure(line).0 == .silent)
        #expect(try directory.text(of: name) == "a\nit's $HOME \\\n")
        #expect(try await ThisMachine.ensure(line).changes.isEmpty)
        #expect(try await ShellRun.of("stat -c %a \(ShellText.quoting(path))").output == "640\n")
        #expect(try directory.names == [name])
    }

    @Test("makes a file when told to")
    func makes() async throws {
        let directory = try TemporaryDirectory()
        let line = try Line("x", in: "\(directory.path)/f", createsFile: true)
        #expect(try await ThisMachine.ensure(line).0 == .silent)
        #expect(try directory.text(of: "f") == "x\n")
        #expect(try await ThisMachine.ensure(line).changes.isEmpty)
        var text = MaskedText("password=")
        text.append(Secret("s3cret"))
        let secret = try Line(text, in: "\(directory.path)/secret", createsFile: true)
        #expect(try await ThisMachine.ensure(secret).0 == .silent)
        #expect(try await ShellRun.of("cd \(directory.path); stat -c %a f secret").output == "644\n600\n")
        #expect(try await ThisMachine.ensure(secret).changes.isEmpty)
    }

    @Test("what somebody else wrote after the plan is not overwritten, nor what a check refuses")
    func guards() async throws {
        let directory = try TemporaryDirectory(["f": "a\n"])
        let path = "\(directory.path)/f"
        let changes = try await ThisMachine.changes(of: Line("x", in: path))
        _ = try await ShellRun.of("echo more >>\(path)")
        let late = try await HostShell.run(changes)
        #expect(late.status == 1)
        #expect(late.output == "\(path) has changed since it was looked at; run the same command again\n")
        let (checked, _) = try await ThisMachine.ensure(Line("x", in: path, checkedBy: "grep -q nothing"))
        #expect(checked.status == 1)
        #expect(try directory.text(of: "f") == "a\nmore\n")
        #expect(try directory.names == ["f"])
    }
}
