import Inventory
import SystemResources
import TestSupport
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Ping, facts, completion")
struct OnHostsTextTests {
    private static func inventory() throws -> Inventory {
        let directory = try TemporaryDirectory(["hosts": "[web]\nw1\nw2\n[db]\nd1\n"])
        return try Inventory.load(file: "\(directory.path)/hosts")
    }

    private struct Failure: Error, CustomStringConvertible {
        let description = "no answer"
    }

    @Test("a ping tells of every host")
    func ping() throws {
        let hosts = try Self.inventory().hosts
        let answer = Ping.Answer(
            login: "ann@10.0.0.1:22", user: "root", opening: .milliseconds(123), exchange: .microseconds(4_560))
        let text = PingText(outcomes: [(hosts[0], .success(answer)), (hosts[1], .failure(Failure()))])
        #expect(
            text.lines == [
                "host  login            works as  opening  exchange",
                "w1    ann@10.0.0.1:22  root      0.12 s   4.6 ms",
                "w2    failed",
            ])
        #expect(
            try text.json.map(\.text) == [
                #"{"exchangeSeconds":0.00456,"host":"w1","login":"ann@10.0.0.1:22","openingSeconds":0.123,"#
                    + #""status":"ok","user":"root"}"#,
                #"{"error":"no answer","host":"w2","status":"failed"}"#,
            ])
        #expect(text.failures.map { $0.host.name } == ["w2"])
    }

    @Test("a pattern is completed behind its last sign")
    func names() throws {
        let inventory = try Self.inventory()
        #expect(Completion.names(of: inventory, after: "w") == ["web", "w1", "w2"])
        #expect(Completion.names(of: inventory, after: "web,!w") == ["web,!web", "web,!w1", "web,!w2"])
        #expect(Completion.names(of: inventory, after: "x").isEmpty)
    }

    @Test("the inventory of a command line is found in all its forms")
    func values() {
        let words = ["drover", "ping", "-i", "a", "--inventory=b", "--inventory", "c", "-i"]
        #expect(Completion.values(of: ["-i", "--inventory"], in: words) == ["a", "b", "c"])
    }

    @Test("facts of a host are read and shown")
    func facts() async throws {
        let run = try await ShellRun.of(HostProfile.script(for: [HostProfile()]).reveal())
        let own = try #require(try HostProfile.answers(to: [HostProfile()], from: run.output)[HostProfile()])
        #expect(!own.name.isEmpty && own.processors > 0 && own.memory > 0 && own.uptime > 0 && !own.system.isEmpty)
        #expect(own.fileSystems.contains { $0.path == "/" && $0.size > $0.free })
        let lines = FactsText(profile: own).lines
        #expect(lines[0] == "name            \(own.name)" || lines[0].hasSuffix(own.name))
        #expect(throws: UnreadableAnswer.self) { try HostProfile.answers(to: [HostProfile()], from: "nonsense\n") }
    }
}
