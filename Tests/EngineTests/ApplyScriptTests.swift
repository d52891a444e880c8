import Secrets
import Testing

import TestSupport

@testable import Engine

@Suite("Apply script")
struct ApplyScriptTests {
    private static let nonce = "0123456789abcdef"

    /// The journal of a run that keeps it in a directory of the test.
    private static func journal(in directory: TemporaryDirectory) -> JournalScript {
        JournalScript(
            run: RunIdentity(id: "20261122T090635Z-4f1c", person: "ann@admin", command: "deploy"), batch: 1,
            directory: directory.path + "/runs")
    }

    private func script(_ steps: [HostPlan.Step], in directory: TemporaryDirectory) -> ApplyScript {
        ApplyScript(steps, journal: Self.journal(in: directory), nonce: Self.nonce)
    }

    private func steps(_ scripts: [String]) -> [HostPlan.Step] {
        scripts.map {
            HostPlan.Step(resource: $0, change: Change($0, script: .init(trusted: $0, because: "a test runs it")))
        }
    }

    /// Runs the steps, and reads their output in pieces of `size` bytes.
    private func events(
        of scripts: [String], piece size: Int = 7
    ) async throws -> (events: [ApplyOutput.Event], status: Int32) {
        let directory = try TemporaryDirectory()
        let run = try await ShellRun.of(script(steps(scripts), in: directory).text.reveal())
        #expect(try directory.names == ["runs"])
        #expect(run.errorOutput == "", "a step's two outputs are joined")
        let events = read(run.output, piece: size).filter { if case .forked = $0 { false } else { true } }
        return (events, run.status)
    }

    private func read(_ output: String, piece size: Int) -> [ApplyOutput.Event] {
        var reader = ApplyOutput(nonce: Self.nonce)
        var events: [ApplyOutput.Event] = []
        var rest = Array(output.utf8)[...]
        while !rest.isEmpty {
            events += reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return events + reader.finish()
    }

    @Test("a line without an end is cut in its middle, in linear time", .timeLimit(.minutes(1)))
    func endlessLine() {
        var reader = ApplyOutput(nonce: Self.nonce)
        let piece = Array(repeating: UInt8(ascii: "x"), count: 32_768)
        for _ in 0..<2000 { #expect(reader.read(piece) == []) }
        let events = reader.read(Array("\u{1e}\(Self.nonce) end 0\n".utf8))
        #expect(events.count == 2 && events.last == .ended(status: 0))
        guard case .printed(let line)? = events.first else { return }
        #expect(line.utf8.count <= 4 * ApplyOutput.halfOfLine)
    }

    @Test("tells of each step, whatever the pieces", arguments: [1, 2, 3, 16, 64, 100_000])
    func pieces(size: Int) async throws {
        let (events, status) = try await events(
            of: ["echo one; echo two >&2", ":", "printf 'no newline'", "printf '\\n\\nä\\n'"], piece: size)
        #expect(status == 0)
        #expect(
            events == [
                .began(step: 0), .printed("one"), .printed("two"), .ended(status: 0),
                .began(step: 1), .ended(status: 0),
                .began(step: 2), .printed("no newline"), .ended(status: 0),
                .began(step: 3), .printed(""), .printed(""), .printed("ä"), .ended(status: 0),
            ])
    }

    @Test(
        "the first step that fails ends the script with its status",
        arguments: [
            ("echo before; false; echo after", 1), ("echo before; exit 7", 7), ("echo before; (exit 3); echo after", 3),
            ("echo before; x=$(false); echo after", 1),
            ("trap 'echo before' EXIT; false", 1), ("echo before; test -e /nonexistent && echo after", 1),
        ])
    func failure(script: String, status expected: Int32) async throws {
        let (events, status) = try await events(of: [":", script, "echo never"])
        #expect(status == expected)
        #expect(
            events == [
                .began(step: 0), .ended(status: 0), .began(step: 1), .printed("before"), .ended(status: expected),
            ])
    }

    @Test("a step begins afresh: nothing to read, and nothing left of the steps before it")
    func isolation() async throws {
        let (events, status) = try await events(of: [
            "cd /usr; x=1; f() { :; }; trap 'echo bye' EXIT", "cat; echo \"${x-unset}\"; pwd; echo $-",
        ])
        #expect(status == 0)
        #expect(events.prefix(4) == [.began(step: 0), .printed("bye"), .ended(status: 0), .began(step: 1)])
        #expect(events[4] == .printed("unset"))
        #expect(events[5] != .printed("/usr"))
        #expect(events[6] == .printed("e"))
    }

    @Test(
        "what looks like a marker and has not this nonce is only printed",
        arguments: [
            "\u{1e}fedcba begin 1", "\u{1e}", "begin 0", "\u{1e}0123456789abcdef", "\u{1e}0123456789abcdefbegin 0",
        ])
    func forgery(line: String) async throws {
        let (events, _) = try await events(of: ["printf '%s\\n' \(ShellText.quoting(line))"], piece: 1)
        #expect(events == [.began(step: 0), .printed(line), .ended(status: 0)])
    }

    @Test("a script that cannot be parsed fails, and later steps are not begun")
    func syntaxError() async throws {
        let directory = try TemporaryDirectory()
        let run = try await ShellRun.of(script(steps([":", "if", "echo never"]), in: directory).text.reveal())
        #expect(try directory.names == ["runs"])
        #expect(run.status != 0)
        #expect(!read(run.output, piece: 10).contains(.began(step: 2)))
    }

    @Test("must finish when one step must")
    func mustFinish() throws {
        let change = Change("install", script: "", mustFinish: true)
        let directory = try TemporaryDirectory()
        #expect(!script(steps([":"]), in: directory).mustFinish)
        #expect(script(steps([":"]) + [.init(resource: "", change: change)], in: directory).mustFinish)
    }

    @Test("ends before the next step when it was asked to")
    func halt() async throws {
        let directory = try TemporaryDirectory()
        let text = script(steps([": >\"$DROVER_HALT\"", "echo never"]), in: directory).text.reveal()
        let run = try await ShellRun.of("DROVER_HALT=\(directory.path)/halt\n" + text)
        #expect(run.status == 0)
        #expect(
            read(run.output, piece: 9) == [.began(step: 0), .ended(status: 0), .halted(before: 1)])
    }

    @Test("after the clock was set back the run keeps its own journal, and the oldest others go")
    func clockSetBack() async throws {
        let directory = try TemporaryDirectory(
            Dictionary(uniqueKeysWithValues: (10..<50).map { ("runs/20270101T0000\($0)Z-0000/journal", "x\n") }))
        let run = try await ShellRun.of(script(steps([":", ":"]), in: directory).text.reveal())
        #expect(run.status == 0, "\(run)")
        let runs = try await ShellRun.of("ls \(directory.path)/runs").output.linesOfText
        #expect(runs.count == JournalScript.keptRuns)
        #expect(runs.first == "20261122T090635Z-4f1c")
        #expect(runs.last == "20270101T000049Z-0000")
        let journal = try directory.text(of: "runs/20261122T090635Z-4f1c/journal")
        #expect(Journal(journal)?.steps.map(\.status) == [0, 0])
    }

    @Test("writes down each step, and keeps what it replaces")
    func journal() async throws {
        let directory = try TemporaryDirectory(["it's\told": "before\n"])
        let old = ShellText.quoting("\(directory.path)/it's\told")
        let script = script(
            steps([
                "keep \(directory.path)/absent; ln -s target \(directory.path)/link; keep \(directory.path)/link",
                "mv \(old) \(directory.path)/old; chmod 640 \(directory.path)/old; keep \(directory.path)/old",
                "exit 7",
            ]), in: directory)
        let run = try await ShellRun.of(script.text.reveal())
        #expect(run.status == 7)
        let folder = "\(directory.path)/runs/20261122T090635Z-4f1c"
        let journal = try #require(Journal(try await ShellRun.of("cat \(folder)/journal").output))
        #expect(journal.run == Self.journal(in: directory).run)
        #expect(journal.steps.map(\.status) == [0, 0, 7])
        #expect(journal.steps.map(\.position.index) == [0, 1, 2])
        #expect(journal.kept.map(\.path) == ["absent", "link", "old"].map { "\(directory.path)/\($0)" })
        #expect(journal.kept.prefix(2).map(\.state) == [.absent, .link(target: "target")])
        guard case .file(let digest, let mode, _, _) = journal.kept[2].state else {
            Issue.record("\(journal.kept[2])")
            return
        }
        #expect(mode == "640")
        #expect(
            try await ShellRun.of("cat \(folder)/kept/\(digest); stat -c %a \(folder)/kept/\(digest) \(folder)").output
                == "before\n600\n700\n")
    }

    @Test("deletes what all runs have kept of a file whose secret changes, and nothing else")
    func purge() async throws {
        let directory = try TemporaryDirectory(["a\\x": "old\n", "b": "other\n"])
        let (a, b) = (ShellText.quoting(directory.path + #"/a\x"#), ShellText.quoting(directory.path + "/b"))
        func run(_ id: String, _ step: String) async throws -> Journal {
            let journal = JournalScript(
                run: RunIdentity(id: id, person: "p", command: "c"), batch: 1, directory: directory.path + "/runs")
            let run = try await ShellRun.of(
                ApplyScript(steps([step]), journal: journal, nonce: Self.nonce).text.reveal())
            #expect(run.status == 0, "\(run)")
            return try #require(Journal(try await ShellRun.of("cat \(directory.path)/runs/*1/journal").output))
        }
        #expect(try await run("1", "keep \(a); keep \(b)").kept.map(\.state).count == 2)
        _ = try await run("2", "keep \(a); echo middle >\(a)")
        let first = try await run("3", "purge \(a); keep \(a); keep \(b)")
        #expect(first.kept.map(\.path) == ["\(directory.path)/b", directory.path + #"/a\x"#])
        #expect(first.kept.last?.state == .secret)
        let left = try await ShellRun.of(
            "cd \(directory.path)/runs && cat */kept/* | sort -u; cut -f 3 3/journal | grep secret")
        #expect(left.output == "other\nsecret\n")
    }

    @Test("the oldest runs go when there are many")
    func pruning() async throws {
        let directory = try TemporaryDirectory()
        _ = try await ShellRun.of(
            """
            cd \(directory.path); for n in $(seq 10 49); do mkdir -p runs/202001${n}T000000Z-0000/kept; done; \
            : >runs/20200149T000000Z-0000/kept/new
            """)
        _ = try await ShellRun.of(script(steps([":"]), in: directory).text.reveal())
        let names = try await ShellRun.of("ls \(directory.path)/runs").output.linesOfText
        #expect(names.count == 30)
        #expect(names.last == "20261122T090635Z-4f1c")
        let left = try await ShellRun.of("find \(directory.path)/runs -name new").output
        #expect(left == "", "what a killed run has left half kept goes too")
    }

    @Test("keeps secrets masked")
    func secrets() throws {
        let step = HostPlan.Step(resource: "r", change: Change("c", script: "echo \(quoting: Secret("hunter2"))"))
        let script = script([step], in: try TemporaryDirectory()).text
        #expect(!script.description.contains("hunter2"))
        #expect(script.reveal().contains("echo hunter2"))
    }

    @Test("nonces are long and differ")
    func nonce() {
        let nonces = Set((0..<100).map { _ in Nonce.make() })
        #expect(nonces.count == 100)
        #expect(nonces.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
