import Programs
import Subprocess
import SystemPackage
import Testing

@testable import SSH

/// The boot text in a shell on this machine.
@Suite("BootText")
struct BootTextTests {
    private static let shells = ["/bin/dash", "/bin/bash"]

    /// What one script printed and how it ended, by the marks; the shell is told to wait for its end, as the end of
    /// its input would end the script.
    private func answer(
        to script: String, by shell: String, _ policy: AbandonmentPolicy = .end
    ) async throws -> ShellResult {
        let boot = BootText(id: RequestID(), silenceLimit: .seconds(45))
        let id = RequestID()
        let text = boot.text + BootText.request(id, script, policy) + "wait $p\n" + BootText.farewell
        let record = try await run(
            .path(FilePath(shell)), feeding: text, output: .bytes(limit: 1 << 20), error: .bytes(limit: 1 << 20))
        func parts(_ bytes: [UInt8]) throws -> (booted: Int32?, output: [UInt8], status: Int32?) {
            var first = MarkerScanner(boot.id)
            var second = MarkerScanner(id)
            _ = bytes.withUnsafeBytes { first.scan($0) }
            let mark = try #require(bytes.firstRange(of: Array("\u{1e}\(boot.id) 0\u{1e}".utf8)))
            let output = bytes[mark.upperBound...].withUnsafeBytes { second.scan($0) }
            return (first.status, output, second.status)
        }
        let output = try parts(record.standardOutput)
        let error = try parts(record.standardError)
        #expect(output.booted == 0)
        #expect(error.booted == 0)
        #expect(error.status == output.status)
        return ShellResult(
            status: try #require(output.status), standardOutput: output.output, standardError: error.output)
    }

    @Test(
        "runs whatever it is given, and stays whole",
        arguments: [
            ("echo one; echo two; exit 3", "one\ntwo\n", 3),
            ("echo 'it'\\''s'", "it's\n", 0),
            ("printf 'no line break'", "no line break", 0),
            ("set -e; false; echo not here", "", 1),
            ("echo $((", "", 2),
            ("echo 'open", "", 2),
            ("cat <<END\nin an open here-document", "in an open here-document\n", 0),
            ("cat; echo \"$#\"", "0\n", 0),
            ("exec echo gone", "gone\n", 0),
            ("kill -KILL $$", "", 137),
            ("kill -TERM $$", "", 143),
            ("sleep 100 >/dev/null 2>&1 & echo background; kill $!", "background\n", 0),
            ("exec >&-; exit 4", "", 4),
            ("cd /tmp; umask 077; trap 'echo bye' EXIT", "bye\n", 0),
            ("printf '\\036mark 0\\036'", "\u{1e}mark 0\u{1e}", 0),
            ("echo $PWD $(umask) $LC_ALL", "/ 0022 C\n", 0),
            ("echo ü\u{301}", "ü\u{301}\n", 0),
            ("", "", 0),
        ] as [(String, String, Int32)], shells)
    func scripts(_ expected: (script: String, output: String, status: Int32), shell: String) async throws {
        for policy in [AbandonmentPolicy.end, .look] {
            // What is looked up runs in the server's own process, whose number is not the script's.
            let script =
                policy == .look ? expected.script.replacing("$$", with: "$(exec sh -c 'echo $PPID')") : expected.script
            let result = try await answer(to: script, by: shell, policy)
            #expect(result.status == expected.status, "\(policy)")
            #expect(result.standardOutputText.trimmingLineEnd == expected.output.trimmingLineEnd, "\(policy)")
        }
    }

    @Test("keeps the two outputs apart, and every byte", arguments: shells)
    func bytes(shell: String) async throws {
        let all = (0...255).map { "\\" + String($0, radix: 8).leftPadded }.joined()
        let result = try await answer(to: "printf '\(all)' >&2; echo out", by: shell)
        #expect(result.standardError == (0...255).map { UInt8($0) })
        #expect(result.standardOutputText == "out\n")
    }

    @Test("takes a script of several hundred kilobytes", arguments: shells)
    func large(shell: String) async throws {
        let text = String(repeating: "0123456789abcdef", count: 20_000)
        let result = try await answer(to: "printf %s \(text) | wc -c", by: shell)
        #expect(result.standardOutputText == "320000\n")
    }
}

extension String {
    fileprivate var leftPadded: String { String(repeating: "0", count: 3 - count) + self }
    /// A here-document that is not ended has a line break in some shells only.
    fileprivate var trimmingLineEnd: Substring { hasSuffix("\n") ? dropLast() : self[...] }
}
