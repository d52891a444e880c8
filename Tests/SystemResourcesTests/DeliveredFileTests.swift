import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("A file of this machine")
struct DeliveredFileTests {
    private static let hello = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

    private func file(in directory: TemporaryDirectory) throws -> DeliveredFile {
        DeliveredFile("/opt/tool", from: try LocalFile("\(directory.path)/tool"), mode: 0o755)
    }

    @Test("is sent when the host has another one, and only then")
    func decides() throws {
        let directory = try TemporaryDirectory(["tool": "hello\n"])
        let file = try file(in: directory)
        let rows: [(FileContent.Answer, FileStatus.Attributes?, [String], Int)] = [
            (.absent, nil, ["write /opt/tool, the 6 bytes of tool"], 1),
            (.different("old"), .file(0o755), ["write /opt/tool, the 6 bytes of tool"], 1),
            (.asExpected, .file(0o755), [], 0),
            (.asExpected, .file(0o644), ["set mode 0644 → 0755 of /opt/tool"], 0),
        ]
        for (content, status, expected, deliveries) in rows {
            var facts = Facts()
            facts.record(status, to: FileStatus("/opt/tool"))
            facts.record(content, to: FileContent("/opt/tool", digest: Self.hello))
            let changes = try file.changes(given: facts, after: .init())
            #expect(changes.map { directory.shortened($0.summary) } == expected)
            #expect(changes.flatMap(\.deliveries).count == deliveries)
        }
    }

    @Test("what was sent takes its place, and nothing else is left of it")
    func writes() async throws {
        let directory = try TemporaryDirectory(["tool": "hello\n", "host/tool": "old\n"])
        let target = "\(directory.path)/host/tool"
        let file = DeliveredFile(target, from: try LocalFile("\(directory.path)/tool"), mode: 0o755)
        let change = try only(await ThisMachine.changes(of: file))
        let delivery = try #require(change.deliveries.first)
        #expect(delivery.digest == Self.hello)
        #expect(delivery.size == 6)
        #expect(delivery.path == "/var/cache/drover/files/\(Self.hello)")
        let sent = "\(directory.path)/sent"
        let text = change.script.reveal().replacing(delivery.path, with: sent)
        let functions = "chown() { :; }\nkeep() { echo \"keep $1\"; }\ncp \(delivery.file) \(sent)\n"
        let run = try await HostShell.run([
            Change("", script: .init(trusted: functions + text, because: "a test runs it"))
        ])
        #expect(run.status == 0, "\(run)")
        #expect(directory.shortened(run.output) == "keep host/tool\n")
        #expect(try directory.text(of: "host/tool") == "hello\n")
        #expect(try directory.names == ["host", "tool"])
    }

    @Test("the old one stays when the new one does not pass its check")
    func check() async throws {
        let directory = try TemporaryDirectory(["tool": "hello\n", "host/tool": "old\n"])
        let file = DeliveredFile(
            "\(directory.path)/host/tool", from: try LocalFile("\(directory.path)/tool"),
            checkedBy: "grep -q something")
        let change = try only(await ThisMachine.changes(of: file))
        let delivery = try #require(change.deliveries.first)
        let text = change.script.reveal().replacing(delivery.path, with: delivery.file)
        let run = try await HostShell.run([
            Change("", script: .init(trusted: "chown() { :; }\nkeep() { :; }\n" + text, because: "a test runs it"))
        ])
        #expect(run.status != 0, "\(run)")
        #expect(try directory.text(of: "host/tool") == "old\n")
    }

    @Test("that cannot be read, or is empty, is told")
    func missing() throws {
        let directory = try TemporaryDirectory(["empty": ""])
        #expect(throws: Diagnostic.self) { try LocalFile("\(directory.path)/none") }
        #expect(throws: Diagnostic.self) { try LocalFile("\(directory.path)/empty") }
    }
}
