import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// The shell texts of files and directories, run for real.
@Suite("File scripts")
struct FileScriptTests {
    private let directory: TemporaryDirectory
    private let owner: String
    private let group: String

    init() async throws {
        directory = try TemporaryDirectory()
        let names = try await ShellRun.of("id -un; id -gn").output.linesOfText
        owner = names[0]
        group = names[1]
    }

    private func file(
        _ name: String, _ content: MaskedText, mode: FileMode = 0o644, checkedBy check: ShellText? = nil
    ) -> File {
        File(
            "\(directory.path)/\(name)", containing: content, owner: owner, group: group, mode: mode, checkedBy: check)
    }

    private func ensure(_ resource: some Resource) async throws -> (ShellRun, changes: [Change]) {
        try await ThisMachine.ensure(resource)
    }

    private func changes(of resource: some Resource) async throws -> [Change] {
        try await ThisMachine.changes(of: resource)
    }

    private static let contents = [
        "", "\n", "plain\n", "no line break at the end", "it's \"quoted\" \\ $HOME `id` \\n %s\n", "\n\nblank\n\n",
        "END_OF_CONTENT\n", "\u{1e}\u{0}\u{7f}\t\r\n", "日本語 ‹x› \u{1F600}\n", String(repeating: "x", count: 57),
        String(repeating: "long line ", count: 500), String(repeating: "0123456789abcde\n", count: 65_536),
    ]

    @Test("writes any content, and then is as declared", arguments: contents.indices)
    func writes(index: Int) async throws {
        let content = Self.contents[index]
        let file = file("f", MaskedText(content), mode: 0o640)
        let (run, changes) = try await ensure(file)
        #expect(changes.count == 1)
        #expect(run == .silent)
        #expect(try directory.text(of: "f") == content)
        #expect(try await self.changes(of: file).map(\.summary) == [])
        #expect(try directory.names == ["f"])
    }

    @Test(
        "writes to any path",
        arguments: ["two words", "it's", "a\"b", "$HOME", "*", "-n", "ä|b", "f.conf", "!", #"a\x2db"#])
    func paths(name: String) async throws {
        let file = file(name, "x\n")
        #expect(try await ensure(file).0.status == 0)
        #expect(try directory.names == [name])
        #expect(try await changes(of: file).map(\.summary) == [])
    }

    @Test("writes secrets")
    func secrets() async throws {
        var content: MaskedText = "password: "
        content.append(Secret("it's $ecret"))
        let (run, _) = try await ensure(file("f", content, mode: 0o600))
        #expect(run.output + run.errorOutput == "")
        #expect(try directory.text(of: "f") == "password: it's $ecret")
    }

    @Test("replaces the old file as a whole: who has it open keeps reading the old one")
    func replaces() async throws {
        _ = try await ensure(file("f", "old\n", mode: 0o600))
        let change = try only(try await changes(of: file("f", "new\n")))
        let run = try await ShellRun.of(
            """
            journal=
            \(JournalScript.functions)
            exec 3<\(directory.path)/f
            ( set -e
            \(change.script.reveal())
            )
            cat <&3
            """)
        #expect(run.output == "old\n")
        #expect(try directory.text(of: "f") == "new\n")
    }

    @Test("takes the place of a link, and leaves its target alone")
    func link() async throws {
        _ = try await ShellRun.of("cd \(directory.path); echo same >target; ln -s target f")
        let file = file("f", "same\n")
        #expect(try await ensure(file).0.status == 0)
        #expect(try await changes(of: file).map(\.summary) == [])
        #expect(try directory.names == ["f", "target"])
    }

    @Test("a check sees the new file with its mode; its failure leaves the old one and nothing else")
    func check() async throws {
        _ = try await ensure(file("f", "old\n"))
        let bad = file("f", "bad\n", checkedBy: "sh -c 'echo it is wrong; ! grep -q bad \"$1\"' check")
        let (run, _) = try await ensure(bad)
        #expect(run.status != 0)
        #expect(run.output == "it is wrong\n")
        #expect(try directory.text(of: "f") == "old\n")
        #expect(try directory.names == ["f"])
        let good = file("f", "good\n", mode: 0o604, checkedBy: "stat -c %a")
        let (second, _) = try await ensure(good)
        #expect(second.status == 0)
        #expect(second.output == "604\n")
        #expect(try directory.text(of: "f") == "good\n")
    }

    @Test("takes away what a killed run has left, and nothing that only looks alike")
    func leftovers() async throws {
        _ = try await ShellRun.of(
            "cd \(ShellText.quoting(directory.path)) && touch \"it's f.drover.Ab12Cd\" \"it's f.drover.conf\"")
        let (run, _) = try await ensure(file("it's f", "x"))
        #expect(run.status == 0)
        #expect(try directory.names == ["it's f", "it's f.drover.conf"])
    }

    @Test("says what stands in the way")
    func inTheWay() async throws {
        _ = try await ShellRun.of("mkdir \"\(directory.path)/it's\"")
        let (run, _) = try await ensure(file("it's", "x"))
        #expect(run.status == 1)
        #expect(run.output == "a directory stands at \(directory.path)/it's\n")
        let (missing, _) = try await ensure(file("none/f", "x"))
        #expect(missing.status == 1)
        #expect(missing.errorOutput.contains("No such file or directory"))
        #expect(try directory.names == ["it's"])
    }

    @Test("an owner that does not exist leaves the old file and nothing else")
    func unknownOwner() async throws {
        let file = File("\(directory.path)/f", containing: "x", owner: "no-such-user-x", group: group)
        let (run, _) = try await ensure(file)
        #expect(run.status == 1)
        #expect(try directory.names == [])
    }

    @Test("sets the mode alone", arguments: [0o600, 0o755, 0o4755, 0] as [FileMode])
    func mode(mode: FileMode) async throws {
        _ = try await ensure(file("f", "x\n", mode: mode))
        let file = file("f", "x\n")
        let (run, changes) = try await ensure(file)
        #expect(run.status == 0)
        #expect(changes.map(\.summary) == ["set mode \(mode) → 0644 of \(directory.path)/f"])
        #expect(try await self.changes(of: file).map(\.summary) == [])
    }

    @Test("makes directories with their parents, and sets their modes", arguments: ["d", "two words/it's/d", "$x"])
    func makes(name: String) async throws {
        let path = "\(directory.path)/\(name)"
        for mode in [0o700, 0o2755, 0o1777, 0o755] as [FileMode] {
            let wanted = Directory(path, owner: owner, group: group, mode: mode)
            let (run, changes) = try await ensure(wanted)
            #expect(run == .silent)
            #expect(changes.count == 1)
            #expect(try await self.changes(of: wanted).map(\.summary) == [])
        }
    }

    @Test("a file where a directory shall be is left alone")
    func directoryInTheWay() async throws {
        _ = try await ensure(file("f", "x\n"))
        let (run, _) = try await ensure(Directory("\(directory.path)/f", owner: owner, group: group))
        #expect(run.status == 1)
        #expect(run.errorOutput.contains("File exists"))
        #expect(try directory.text(of: "f") == "x\n")
    }

    @Test("a link where a directory shall be is left alone, and so is what it leads to")
    func linkInTheWay() async throws {
        _ = try await ShellRun.of("cd \(directory.path); mkdir -m 700 d; ln -s d l")
        let (run, _) = try await ensure(Directory("\(directory.path)/l", owner: owner, group: group))
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("a symbolic link to d stands at \(directory.path)/l\n"))
        let kept = Directory("\(directory.path)/d", owner: owner, group: group, mode: 0o700)
        #expect(try await changes(of: kept).map(\.summary) == [])
    }
}
