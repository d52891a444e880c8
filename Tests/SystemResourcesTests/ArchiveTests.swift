import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Archive")
struct ArchiveTests {
    private let digest = String(repeating: "0a", count: 32)

    @Test("is unpacked unless its digest is there already")
    func decides() throws {
        let archive = try Archive("x", from: .url("https://h/x-1.tar.gz", sha256: digest), into: "/opt/x")
        for (answer, isDone) in [(FileContent.Answer.asExpected, true), (.absent, false), (.different("other"), false)]
        {
            var facts = Facts()
            facts.record(answer, to: FileContent("/opt/x/.x.drover", expected: digest + "\n"))
            let changes = try archive.changes(given: facts, after: .init())
            #expect(changes.map(\.summary) == (isDone ? [] : ["unpack https://h/x-1.tar.gz into /opt/x"]))
            #expect(changes.flatMap(\.effects) == (isDone ? [] : [.writes(archive.marker)]))
        }
    }

    /// Makes the archive in a directory of its own; what is in a `.zip` stands in no folder.
    private func packed(_ ending: String) async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(["x-1/bin/tool": "new\n", "x-1/two words": "2\n", "x-1/sub/it's": "3\n"])
        let pack = ending == "zip" ? "cd x-1; zip -qr ../x.zip ." : "tar -caf x.\(ending) x-1"
        let run = try await ShellRun.of("cd \(directory.path); \(pack)")
        try #require(run.status == 0, "\(run)")
        return directory
    }

    @Test("unpacks what is on the controller, on the host, or fetched", arguments: ["tar.gz", "tar.xz", "tgz", "zip"])
    func unpacks(ending: String) async throws {
        let source = try await packed(ending)
        let file = "\(source.path)/x.\(ending)"
        let digest = String(try await ShellRun.of("sha256sum \(file)").output.prefix(64))
        let sources = [
            try ArchiveSource.controller(file), try .host(file, sha256: digest),
            try .url("file://\(file)", sha256: digest.uppercased()),
        ]
        for source in sources {
            let target = try TemporaryDirectory(["it's/bin/tool": "old\n", "it's/other": "stays\n"])
            let archive = try Archive(
                "x", from: source, into: "\(target.path)/it's", stripping: ending == "zip" ? 0 : 1)
            let change = try only(await ThisMachine.changes(of: archive))
            // Whoever runs the tests owns what they write.
            let functions: ShellText = "chown() { :; }\nkeep() { echo \"keep $1\"; }\n"
            let run = try await HostShell.run([Change("", script: functions + change.script)])
            #expect(run.status == 0, "\(run)")
            #expect(
                target.shortened(run.output).linesOfText.sorted() == [
                    "keep it's/.x.drover", "keep it's/bin/tool", "keep it's/sub/it's", "keep it's/two words",
                ])
            #expect(try target.text(of: "it's/bin/tool") == "new\n")
            #expect(try target.text(of: "it's/sub/it's") == "3\n")
            #expect(try target.text(of: "it's/other") == "stays\n")
            #expect(try target.text(of: "it's/.x.drover") == digest + "\n")
            #expect(
                try await ShellRun.of("ls -A '\(target.path)/it'\\''s'").output.linesOfText.sorted() == [
                    ".x.drover", "bin", "other", "sub", "two words",
                ])
            #expect(try await ThisMachine.changes(of: archive).isEmpty)
        }
    }

    @Test("what has another digest is not unpacked, and nothing is left")
    func otherDigest() async throws {
        let source = try await packed("tgz")
        let file = "\(source.path)/x.tgz"
        let target = try TemporaryDirectory()
        let archive = try Archive("x", from: .url("file://\(file)", sha256: digest), into: target.path)
        let (run, _) = try await ThisMachine.ensure(archive)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("file://\(file) has the SHA-256 "))
        #expect(run.output.hasSuffix(", and not \(digest)\n"))
        let gone = try Archive("x", from: .url("file:///nonexistent.tgz", sha256: digest), into: target.path)
        #expect(try await ThisMachine.ensure(gone).0.errorOutput.contains("nonexistent"))
        #expect(try target.names == [])
    }

    @Test("a program that is missing is named")
    func missingProgram() async throws {
        let target = try TemporaryDirectory()
        let archive = try Archive("x", from: .url("file:///x.zip", sha256: digest), into: target.path)
        var change = try only(await ThisMachine.changes(of: archive))
        change.script = "command() { return 1; }\n\(change.script)"
        let run = try await HostShell.run([change])
        #expect(run.status == 1)
        #expect(run.output == "unzip is not on this host; install the package unzip before\n")
    }

    @Test("wrong parameters are told")
    func wrong() throws {
        let url = "https://h/x.tar.gz"
        #expect(throws: Diagnostic.self) { try ArchiveSource.url(url, sha256: "0a") }
        #expect(throws: Diagnostic.self) { try ArchiveSource.url("h/x.tgz", sha256: digest) }
        #expect(throws: Diagnostic.self) { try ArchiveSource.url("https://h/\"x.tgz", sha256: digest) }
        #expect(throws: Diagnostic.self) { try ArchiveSource.controller("/nonexistent.tgz") }
        let large = try TemporaryDirectory(["x.tgz": String(repeating: "x", count: 4_194_305)])
        #expect(throws: Diagnostic.self) { try ArchiveSource.controller("\(large.path)/x.tgz") }
        #expect(throws: Diagnostic.self) { try Archive("x", from: .url(url, sha256: digest), into: "opt") }
        #expect(throws: Diagnostic.self) { try Archive("a/b", from: .url(url, sha256: digest), into: "/opt") }
        #expect(throws: Diagnostic.self) { try Archive("x", from: .url("https://h/x.rar", sha256: digest), into: "/o") }
        #expect(throws: Diagnostic.self) {
            try Archive("x", from: .url("https://h/x.zip", sha256: digest), into: "/o", stripping: 1)
        }
    }
}
