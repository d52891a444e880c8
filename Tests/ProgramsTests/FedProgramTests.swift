import Programs
import Subprocess
import Testing

@Suite("Programs with input")
struct FedProgramTests {
    /// More than a pipe holds.
    private let text = String(repeating: "0123456789abcdef", count: 16_384)

    @Test("read all of it")
    func read() async throws {
        let result = try await run(.name("cat"), feeding: text, output: .string(limit: 1 << 20), error: .discarded)
        #expect(result.terminationStatus.isSuccess)
        #expect(result.standardOutput == text)
    }

    @Test("may end without reading it", arguments: 0..<20)
    func unread(_: Int) async throws {
        let result = try await run(
            .name("sh"), arguments: ["-c", "echo no; exit 3"], feeding: text, output: .string(limit: 16),
            error: .discarded)
        #expect(result.terminationStatus == .exited(3))
        #expect(result.standardOutput == "no\n")
    }
}
