import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// The scripts of facts, run on this machine.
@Suite("Fact scripts")
struct FactScriptTests {
    private func ask<F: Fact>(_ questions: [F]) async throws -> [F: F.Answer] {
        let run = try await ShellRun.of(F.script(for: questions).reveal())
        return try F.answers(to: questions, from: run.output)
    }

    /// Names that a careless script stumbles over.
    private static let names = [
        "plain", "two words", "it's", "a\"b", "$HOME", "*", "-n", "ä|b", "[a]?", "!x", #"a\x2db"#,
    ]

    @Test("file status")
    func fileStatus() async throws {
        let directory = try TemporaryDirectory(Dictionary(uniqueKeysWithValues: Self.names.map { ($0, "x") }))
        let files = Self.names.map { FileStatus("\(directory.path)/\($0)") }
        let answers = try await ask(files + [FileStatus(directory.path), FileStatus("/nonexistent/x")])
        for file in files { #expect(answers[file]??.kind == .file, "\(file.path)") }
        #expect(answers[FileStatus(directory.path)]??.kind == .directory)
        #expect(answers[FileStatus("/nonexistent/x")] == .some(nil))
    }

    @Test("mode, owner and age of a file")
    func attributes() async throws {
        let directory = try TemporaryDirectory(["f": "x"])
        let path = directory.path + "/f"
        let run = try await ShellRun.of(
            "chmod 640 \(path); touch -d @1732254985.25 \(path); ln -s f \(directory.path)/l; id -un; id -gn")
        let user = run.output.linesOfText
        let answers = try await ask([FileStatus(path), FileStatus(directory.path + "/l")])
        #expect(
            answers[FileStatus(path)]
                == .file(0o640, owner: user[0], group: user[1], modified: 1_732_254_985_250_000_000))
        #expect(answers[FileStatus(directory.path + "/l")]??.kind == .other("symbolic link"))
    }

    @Test("file content")
    func fileContent() async throws {
        let text = "first\n'second' \\ $HOME \u{1e}\r\nlast without line break"
        let directory = try TemporaryDirectory(Dictionary(uniqueKeysWithValues: Self.names.map { ($0, text) }))
        let same = Self.names.map { FileContent("\(directory.path)/\($0)", expected: text) }
        for (question, answer) in try await ask(same) { #expect(answer == .asExpected, "\(question.path)") }
        let other = Self.names.map { FileContent("\(directory.path)/\($0)", expected: "") }
        for (question, answer) in try await ask(other) { #expect(answer == .different(text), "\(question.path)") }
        let absent = [FileContent("/nonexistent/x", expected: ""), FileContent(directory.path, expected: "")]
        for answer in try await ask(absent).values { #expect(answer == .absent) }
    }

    @Test("contents of many files at once, each against its own")
    func mixed() async throws {
        let directory = try TemporaryDirectory(["same": "a\n", "other": "b\n", "empty": "", "long": longText])
        func question(_ name: String, _ expected: String) -> FileContent {
            FileContent("\(directory.path)/\(name)", expected: expected)
        }
        let questions = [
            question("same", "a\n"), question("none", "a\n"), question("other", "a\n"), question("empty", ""),
            question("long", ""),
        ]
        let answers = try await ask(questions)
        #expect(
            questions.map { answers[$0] } == [
                .asExpected, .absent, .different("b\n"), .asExpected, .different(String(longText.prefix(262_144))),
            ])
    }

    @Test("a file that vanishes between two looks has no content")
    func vanishing() async throws {
        let directory = try TemporaryDirectory(["f": "x"])
        let question = FileContent(directory.path + "/f", expected: "")
        let run = try await ShellRun.of(
            "head() { rm -f \(directory.path)/f; command head \"$@\"; }\n"
                + FileContent.script(for: [question]).reveal())
        #expect(try FileContent.answers(to: [question], from: run.output) == [question: .different("")])
    }

    private var longText: String { String(repeating: "0123456789abcde\n", count: 20_000) }

    @Test("what stands at paths, with all that is in it")
    func pathEntries() async throws {
        let text = "first\n'second' \\ $HOME \u{1e}\r\nlast without line break"
        let long = String(repeating: "long/", count: 30) + "name"
        let files = Dictionary(uniqueKeysWithValues: (Self.names + [long]).map { ($0, text) })
        let directory = try TemporaryDirectory(files.merging(["empty": "", "big": longText]) { first, _ in first })
        let target = String(repeating: "x", count: 150)
        _ = try await ShellRun.of(
            """
            cd \(directory.path); ln -s \(target) long-link; ln -s 'two words' link; ln plain hard; mkfifo pipe
            printf '\\377' >latin; printf 'a\\0b' >zero
            """)
        func entry(_ name: String) -> PathEntry { PathEntry("\(directory.path)/\(name)") }
        let expected: [(String, PathEntry.Answer)] =
            (Self.names + [long, "hard"]).map { ($0, .text(text)) } + [
                ("empty", .text("")), ("big", .text(longText)), ("none", .absent), ("long", .other), ("pipe", .other),
                ("link", .link("two words")), ("long-link", .link(target)), ("latin", .binary), ("zero", .binary),
            ]
        let answers = try await ask(expected.map { entry($0.0) })
        for (name, answer) in expected { #expect(answers[entry(name)] == answer, "\(name)") }
        #expect(try await ask([PathEntry("/nonexistent/x")]).values.map { $0 } == [.absent])
    }

    @Test("whether commands succeed, whatever is wrong with one of them")
    func commandSuccess() async throws {
        let secret: ShellText = "[ it = \(quoting: Secret("it")) ]"
        let questions: [(ShellText, Bool)] = [
            ("true", true), ("false", false), ("no-such-command-x", false), ("if ( then", false), ("exit 7", false),
            ("exit 0", true), ("x='it'; [ \"$x\" = it ]", true), ("[ -n \"$x\" ]", false), ("cat", true),
            (") ; true", false),
            ("echo output; echo error >&2", true), ("test 1 = 1\ntest 1 = 2", false), (secret, true),
        ]
        let answers = try await ask(questions.map { CommandSuccess($0.0) })
        for (script, answer) in questions { #expect(answers[CommandSuccess(script)] == answer, "\(script)") }
        #expect(throws: UnreadableAnswer.self) {
            try CommandSuccess.answers(to: [CommandSuccess("true")], from: "maybe\n")
        }
    }

    @Test("kernel parameters are files whose content and access can be asked")
    func sysctl() async throws {
        let type = "/proc/sys/kernel/ostype"
        let contents = [FileContent(type, expected: "Linux\n"), FileContent("/proc/sys/no/such", expected: "1\n")]
        let answers = try await ask(contents)
        #expect(answers[contents[0]] == .asExpected)
        #expect(answers[contents[1]] == .absent)
        let range = FileContent("/proc/sys/net/ipv4/ip_local_port_range", expected: "1 2\n")
        guard case .different(let fields) = try await ask([range])[range] else {
            Issue.record("the range is told")
            return
        }
        #expect(fields.split(separator: "\t").count == 2)
        let access = try await ask(["/dev/null", "/proc/sys/kernel/ostype"].map(FileAccess.init))
        #expect(access == [FileAccess("/dev/null"): true, FileAccess(type): false])
    }

    @Test("users")
    func users() async throws {
        let answers = try await ask(["root", "no-such-user-x", "nobody"].map(UserEntry.init))
        #expect(answers[UserEntry("root")]??.home == "/root")
        #expect(answers[UserEntry("no-such-user-x")] == .some(nil))
        #expect(answers[UserEntry("nobody")]??.shell == "/usr/sbin/nologin")
    }

    @Test("packages")
    func packages() async throws {
        let answers = try await ask(["dpkg", "no-such-package-x"].map(PackageStatus.init))
        #expect(answers[PackageStatus("dpkg")]?.version?.isEmpty == false)
        #expect(answers[PackageStatus("no-such-package-x")] == .absent)
    }

    @Test("nobody answers at a closed port")
    func http() async throws {
        let questions = [
            HTTPResponse("http://127.0.0.1:1/a"), HTTPResponse("http://127.0.0.1:1/b?c=d&e", post: "it's \"x\""),
            HTTPResponse("http://127.0.0.1:1/a", post: "{}"),
        ]
        let answers = try await ask(questions)
        #expect(answers.count == 3)
        for answer in answers.values { #expect(answer == .init(status: 0, body: "")) }
    }
}
