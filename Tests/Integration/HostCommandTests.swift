import Foundation
import Subprocess
import Testing

/// `drover run`, one command on many bare hosts, and `drover ping`.
@Suite("Commands on hosts", .lab(of: 2))
struct HostCommandTests {
    private var lab: TestLab { TestLab.current }

    private func run(_ words: String...) async throws -> Command {
        try await Command.run(lab.inside(Drover.program) + ["run", "-i", lab.plainInventory] + words)
    }

    @Test("each line has the name of its host, on the stream that it was printed to")
    func lines() async throws {
        let result = try await run("all", "--", "hostname; echo two words >&2")
        #expect(result.status == 0, "\(result.everything)")
        #expect(result.output.linesOfOutput.sorted() == ["pg1  pg1", "pg2  pg2"])
        #expect(result.errors.linesOfOutput.sorted() == ["pg1  two words", "pg2  two words"])
    }

    @Test("several words are one command, unchanged")
    func words() async throws {
        let result = try await run("pg2", "--", "printf", "%s|", "a b", "$HOME", "'")
        #expect(result.output == "pg2  a b|$HOME|'|\n", "\(result.everything)")
    }

    @Test("a failure on one host is reported, and stops no other host")
    func failure() async throws {
        let result = try await run("all", "--", "[ \"$(hostname)\" = pg2 ] && echo done || exit 7")
        #expect(result.status == 3)
        #expect(result.output == "pg2  done\n")
        #expect(result.errors == "drover: pg1: the command ended with exit status 7\n")
    }

    @Test(
        "wrong use contacts no host",
        arguments: [["all"], ["nobody", "--", "true"], ["all", "--parallel", "0", "--", "true"]])
    func wrongUse(words: [String]) async throws {
        let result = try await Command.run(lab.inside(Drover.program) + ["run", "-i", lab.plainInventory] + words)
        #expect(result.status == 1, "\(result.everything)")
        #expect(result.output.isEmpty)
    }

    @Test("Ctrl-C ends it on all hosts")
    func interrupted() async throws {
        let command = lab.inside(Drover.program) + ["run", "-i", lab.plainInventory, "all", "--"]
        let result = try await RunningProgram.run(command + ["echo begun; exec sleep 4711"]) { _, program in
            try program.send(.interrupt)
        }
        #expect(result.status == 130)
        for host in ["pg1", "pg2"] { try await lab.must(on: host, "! pgrep -f 'sleep 471[1]'") }
    }

    @Test("ping reports which hosts are reachable, and exits with 4 or 5 for the others")
    func ping() async throws {
        let good = try await ping("ansible_user: root")
        #expect(good.status == 0, "\(good.everything)")
        #expect(good.output.linesOfOutput.map { $0.split(separator: " ").first } == ["host", "pg1", "pg2"])
        let refused = try await ping("ansible_user: nobody")
        #expect(refused.status == 5)
        #expect(refused.output.linesOfOutput.dropFirst() == ["pg1   refused", "pg2   refused"])
        let unreachable = try await ping("ansible_user: root", ("10.70.0.12", "10.70.0.99"))
        #expect(unreachable.status == 4)
        #expect(unreachable.output.linesOfOutput.last == "pg2   unreachable")
        #expect(unreachable.errors.contains("pg2: "), "\(unreachable.everything)")
    }

    private func ping(_ login: String, _ change: (old: String, new: String) = ("10.70.0.12", "10.70.0.12")) async throws
        -> Command
    {
        let text = try String(contentsOfFile: lab.plainInventory, encoding: .utf8)
        let file = "\(lab.folder)/ping.yml"
        try text.replacing("ansible_user: root", with: login).replacing(change.old, with: change.new)
            .write(toFile: file, atomically: true, encoding: .utf8)
        return try await Command.run(lab.inside(Drover.program) + ["ping", "-i", file])
    }
}
