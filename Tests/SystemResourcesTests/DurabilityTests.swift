import Engine
import Foundation
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// What is on the disk before a file takes its place.
@Suite("Durability")
struct DurabilityTests {
    private func trace(_ script: String, in directory: TemporaryDirectory) async throws -> DiskTrace {
        try await DiskTrace.of(
            """
            journal=\(directory.path)/journal kept=\(directory.path)/kept
            \(JournalScript.functions)
            set -e
            \(script)
            """, in: directory)
    }

    @Test(
        "a new file is on the disk before it takes its place, and its place after; so is what is written down",
        arguments: [nil, "old\n"])
    func synced(old: String?) async throws {
        let directory = try TemporaryDirectory(["kept/x": "", "etc/g": "g"])
        let path = "\(directory.path)/etc/f"
        let write = Replacement(path: path, content: "new\n", access: .asBefore)
        let setUp = old.map { "printf '\($0)' >\(path)\n" } ?? ""
        let trace = try await trace(setUp + write.script.reveal(), in: directory)
        #expect(trace.fault(at: path) == nil)

        let calls = trace.calls
        let journal = "\(directory.path)/journal"
        let rename = try #require(calls.firstIndex { $0.isRename(to: path) })
        let record = try #require(calls.lastIndex { $0.isWrite(to: journal) })
        #expect(calls[record..<rename].contains { $0.isSync(of: journal) })
        guard old != nil else { return }
        let keeping = try #require(
            calls.firstIndex { $0.name.hasPrefix("rename") && $0.paths.first == "\(directory.path)/kept/new" })
        #expect(calls[..<keeping].contains { $0.isSync(of: "\(directory.path)/kept/new") })
        #expect(calls[keeping..<rename].contains { $0.isSync(of: "\(directory.path)/kept") })
    }

    @Test("the keys that may log in are on the disk before they take their place, and their place after")
    func authorizedKeys() async throws {
        let directory = try TemporaryDirectory(["kept/x": "", "home/.ssh/authorized_keys": "old\n"])
        let home = directory.path + "/home"
        var facts = Facts()
        facts.record(.init(home: home, content: .text("old\n")), to: AuthorizedKeysFile(of: "ann"))
        let change = try only(
            AuthorizedKeys(of: "ann", ["ssh-ed25519 AAAA a@b"]).changes(given: facts, after: PendingEffects()))
        let trace = try await trace(
            """
            getent() { echo 'ann:x:1:1::\(home):/bin/sh'; }
            runuser() { shift 3; "$@"; }
            give() { :; }
            \(change.script.reveal())
            """, in: directory)
        #expect(trace.fault(at: "\(home)/.ssh/authorized_keys") == nil)
        #expect(try directory.text(of: "home/.ssh/authorized_keys") == "old\nssh-ed25519 AAAA a@b\n")
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
        let trace = try await trace("systemctl() { echo active; }\nkeep_unit x.service restart:/etc/x", in: directory)
        let journal = "\(directory.path)/journal"
        let record = try #require(trace.calls.lastIndex { $0.isWrite(to: journal) })
        #expect(trace.calls[record...].contains { $0.isSync(of: journal) })
    }
}
