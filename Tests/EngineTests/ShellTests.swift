import Secrets
import TestSupport
import Testing

@testable import Engine

@Suite("Shell")
struct ShellTests {
    @Test(
        "a word is quoted only when it must be",
        arguments: [
            ("/etc/motd", "/etc/motd"), ("a-b_c:d@e%f+g,h.i", "a-b_c:d@e%f+g,h.i"), ("", "''"), ("a b", "'a b'"),
            ("it's", #"'it'\''s'"#), ("~root", "'~root'"), ("a=b", "'a=b'"), ("ä", "'ä'"),
        ])
    func quotes(word: String, quoted: String) {
        #expect(ShellText.quoting(word).reveal() == quoted)
    }

    /// What would mean something else, and texts made of such characters by chance.
    private static let words: [String] = {
        // A quote followed by a combining accent is one character in Swift, but still a quote to the shell.
        let alphabet: [Unicode.Scalar] = [
            "'", "\"", "\\", "$", "`", " ", "\n", "\t", "\r", "!", "*", "~", "#", "&", ";", "(", "a", "é", "\u{301}",
            "\u{1e}", "\u{7f}", "日", "\u{1F600}",
        ]
        var generator = SeededGenerator(seed: 7)
        var words = [
            "'\u{301}; echo no", "\"\u{301}; echo no", "\r\n", "-n", "--", "%s", "$(echo no)", "`echo no`", "\nEND\n",
            "END",
        ]
        for _ in 0..<300 {
            var word = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                word.append(alphabet[Int.random(in: alphabet.indices, using: &generator)])
            }
            words.append(String(word))
        }
        return words
    }()

    /// What a program gets, as bytes.
    private func read(_ script: ShellText) async throws -> [[UInt8]] {
        let run = try await ShellRun.of(script.reveal())
        return run.output.utf8.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
    }

    @Test("every word reaches the program as it is")
    func quoting() async throws {
        let script: ShellText = "for word in \(words: Self.words); do printf '%s\\0' \"$word\"; done"
        #expect(try await read(script) == Self.words.map { Array($0.utf8) })
    }

    @Test("so does what stands within other quotes, or is read by another shell")
    func nesting() async throws {
        let scripts = Self.words.map { word -> ShellText in
            let inner: ShellText = "printf '%s\\0' \(quoting: word)"
            return """
                printf '%s\\0' "a\(inDoubleQuotes: word)" 'a\(inSingleQuotes: word)' "$0"a\(quoting: word)
                eval \(quoting: inner)
                """
        }
        let expected = Self.words.flatMap { ["a" + $0, "a" + $0, "sha" + $0, $0] }
        let script: ShellText = "sh -c \(quoting: scripts.joined(separator: "\n")) sh"
        #expect(try await read(script) == expected.map { Array($0.utf8) })
    }

    @Test("a here-document gives a text as it is, with a line break after it")
    func hereDocument() async throws {
        let scripts = Self.words.map { "cat \(hereDocument: MaskedText($0), "END")\nprintf '\\0'\n" as ShellText }
        #expect(try await read(scripts.joined()) == Self.words.map { Array("\($0)\n".utf8) })
    }

    @Test("a secret is quoted, and masked")
    func secrets() async throws {
        let secret = Secret("it's $(secret)")
        var text: MaskedText = "a b"
        text.append(secret)
        let script: ShellText =
            "printf '%s\\0' \(quoting: secret) \(quoting: text) \(quoting: "x\(quoting: secret)" as ShellText)"
        #expect(!script.description.contains("it"))
        #expect(
            try await read(script)
                == ["it's $(secret)", "a bit's $(secret)", #"x'it'\''s $(secret)'"#].map { Array($0.utf8) })
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
