import Testing

import TestSupport

@testable import Drover

@Suite("Shell")
struct ShellTests {
    @Test(
        "a word is quoted only when it must be",
        arguments: [
            ("/etc/motd", "/etc/motd"), ("a-b_c:d@e%f+g,h.i", "a-b_c:d@e%f+g,h.i"), ("", "''"), ("a b", "'a b'"),
            ("it's", #"'it'\''s'"#), ("~root", "'~root'"), ("a=b", "'a=b'"), ("ä", "'ä'"),
        ])
    func quotes(word: String, quoted: String) {
        #expect(Shell.quote(word) == quoted)
    }

    @Test("every word reaches the program as it is")
    func property() async throws {
        // A quote followed by a combining accent is one character in Swift, but still a quote to the shell.
        let alphabet: [Unicode.Scalar] = [
            "'", "\"", "\\", "$", "`", " ", "\n", "\t", "\r", "!", "*", "~", "#", "&", ";", "(", "a", "é", "\u{301}",
            "\u{1e}", "\u{7f}", "日", "\u{1F600}",
        ]
        var generator = SeededGenerator(seed: 7)
        var words = ["'\u{301}; echo no", "\r\n", "-n", "%s"]
        for _ in 0..<300 {
            var word = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                word.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
            }
            words.append(String(word))
        }
        let run = try await ShellRun.of("for word in \(Shell.words(words)); do printf '%s\\0' \"$word\"; done")
        let read = run.output.utf8.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        #expect(read == words.map { Array($0.utf8) } + [[]])
    }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
