import Engine
import Foundation
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// What is on the disk before a file takes its place, seen by tracing: a test that only kills cannot see it, for what was
/// written survives in the memory of the kernel.
@Suite("Durability")
struct DurabilityTests {
    /// One call of a traced script that writes, syncs or renames.
    private struct Call {
        let name: Substring
        /// Its paths.
        let paths: [String]
    }

    private func trace(_ script: String, in directory: TemporaryDirectory) async throws -> [Call] {
        let run = try await ShellRun.of(
            """
            cd \(directory.path)
            cat >script <<'END_OF_SCRIPT'
            journal=\(directory.path)/journal kept=\(directory.path)/kept
            \(JournalScript.functions)
            set -e
            \(script)
            END_OF_SCRIPT
            strace -f -y -e trace=write,fsync,fdatasync,syncfs,rename,renameat,renameat2 -e signal=none -o trace sh script
            """)
        try #require(run.status == 0, "\(run)")
        return try directory.text(of: "trace").linesOfText.compactMap { line in
            guard line.hasSuffix(" = 0") || line.contains("write("),
                let call = line.firstMatch(of: /^[0-9]+ +([a-z0-9]+)\((.*)/)
            else { return nil }
            let paths = call.output.2.matches(of: /[<"](\/[^>"]*)[>"]/).map { String($0.output.1) }
            return Call(
                name: call.output.1, paths: paths.filter { $0 != directory.path || call.output.1.hasSuffix("sync") })
        }
    }

    @Test(
        "a new file is on the disk before it takes its place, and its place after; so is what is written down",
        arguments: [nil, "old\n"])
    func synced(old: String?) async throws {
        let directory = try TemporaryDirectory(["kept/x": "", "etc/g": "g"])
        let path = "\(directory.path)/etc/f"
        let write = Replacement(path: path, content: "new\n", access: .asBefore)
        let setUp = old.map { "printf '\($0)' >\(path)\n" } ?? ""
        let calls = try await trace(setUp + write.script.reveal(), in: directory)
        func isSync(_ call: Call, of path: String) -> Bool { call.name.hasSuffix("sync") && call.paths.first == path }
        func isRename(_ call: Call, to path: String) -> Bool {
            call.name.hasPrefix("rename") && call.paths.last == path
        }

        let rename = try #require(calls.firstIndex { isRename($0, to: path) })
        let new = try #require(calls[rename].paths.first)
        let content = try #require(calls.firstIndex { isSync($0, of: new) })
        let lastWrite = try #require(calls.lastIndex { $0.name == "write" && $0.paths.first == new })
        #expect(lastWrite < content && content < rename)
        #expect(calls[rename...].contains { isSync($0, of: "\(directory.path)/etc") })

        let journal = "\(directory.path)/journal"
        let record = try #require(calls.lastIndex { $0.name == "write" && $0.paths.first == journal })
        #expect(calls[record..<rename].contains { isSync($0, of: journal) })
        guard old != nil else { return }
        let keeping = try #require(
            calls.firstIndex { $0.name.hasPrefix("rename") && $0.paths.first == "\(directory.path)/kept/new" })
        #expect(calls[..<keeping].contains { isSync($0, of: "\(directory.path)/kept/new") })
        #expect(calls[keeping..<rename].contains { isSync($0, of: "\(directory.path)/kept") })
    }

    /// What takes a place without a `sync` before, and why it may.
    private static let unsynced = [
        "Link.swift": "a link has no content", "TimeZone.swift": "a link has no content",
        "IssuedCertificate.swift": "the key was synced when it was made",
        "PackageTransaction.swift": "it lasts for the time of a run",
        "RecoveryScripts+Members.swift": "what gets another name has been on the disk for long",
        "SetAside.swift": "what gets another name has been on the disk for long",
        "StanzaAside.swift": "what gets another name has been on the disk for long",
        "User.swift": "the templates of a home directory can be copied again",
    ]

    @Test("whatever takes the place of a file was synced, or needs no sync for a stated reason")
    func everywhere() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var (unsynced, synced): (Set<String>, Int) = ([], 0)
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains(#/\bmv -(fT|T|f) /#) {
                if lines[max(0, index - 3)...index].contains(where: { $0.contains(#/\bsync /#) }) {
                    synced += 1
                } else {
                    unsynced.insert(file.lastPathComponent)
                }
            }
        }
        #expect(unsynced == Set(Self.unsynced.keys))
        #expect(synced > 8)
    }

    @Test("units are written down before they change")
    func unit() async throws {
        let directory = try TemporaryDirectory(["kept/x": ""])
        let calls = try await trace("systemctl() { echo active; }\nkeep_unit x.service restart:/etc/x", in: directory)
        let record = try #require(
            calls.lastIndex { $0.name == "write" && $0.paths.first?.hasSuffix("/journal") == true })
        #expect(calls[record...].contains { $0.name == "fsync" && $0.paths.first?.hasSuffix("/journal") == true })
    }
}
