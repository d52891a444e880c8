import Engine
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

/// What is on the disk before a file takes its place.
@Suite("Durability of a cluster's files")
struct ClusterDurabilityTests {
    @Test("a private key is on the disk before it takes its place, and its place after")
    func privateKey() async throws {
        let directory = try TemporaryDirectory()
        let identity = HostIdentity.postgres
        var facts = Facts()
        facts.record(.init(), to: IdentityFiles(identity: identity))
        facts.record(nil, to: FileStatus(identity.key))
        let change = try #require(
            PrivateKey(identity: identity, isMade: true).changes(given: facts, after: PendingEffects()).first)
        let script = change.script.reveal().replacing(HostIdentity.folder, with: directory.path)
        let trace = try await DiskTrace.of(
            """
            set -e
            openssl() { for last; do :; done; echo key >"$last"; }
            chown() { :; }
            \(script)
            """, in: directory)
        #expect(trace.fault(at: "\(directory.path)/postgres.key") == nil)
    }

    @Test(
        "what is written down about a recovery is on the disk before the next step",
        arguments: ["mark on 2", "unmark at"])
    func recoveryMarker(order: String) async throws {
        let directory = try TemporaryDirectory(["demo": "at 1\nfor x\n"])
        let definition = RecoveryMarker("demo").definition.reveal()
            .replacing(RecoveryMarker.folder, with: directory.path)
        let trace = try await DiskTrace.of("set -e\n\(definition)\n\(order)", in: directory)
        #expect(trace.fault(at: "\(directory.path)/demo") == nil)
        #expect(try directory.text(of: "demo") == (order == "unmark at" ? "for x\n" : "at 1\nfor x\non 2\n"))
    }
}
