import FoundationEssentials
import Subprocess
import Testing

@testable import SSH

@Suite("KeyRing")
struct KeyRingTests {
    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("leaves nothing behind when it is closed")
    func close() async throws {
        let ring = try await KeyRing()
        let directory = String(ring.socket.dropLast("/socket".count))
        #expect(exists(directory))
        await ring.close()
        #expect(!exists(directory))
    }

    @Test("leaves nothing behind when its program has gone without a word")
    func orphaned() async throws {
        let directory = FileManager.default.temporaryDirectory.path() + "drover-agent-\(RequestID())"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        // A program that ends closes the pipe, which is what the end of this input is.
        _ = try await run(
            .name("ssh-agent"), arguments: Arguments(KeyRing.arguments(directory)), input: .none, output: .discarded)
        #expect(!exists(directory))
    }
}
