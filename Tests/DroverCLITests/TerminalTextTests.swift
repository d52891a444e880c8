import Foundation
import TestSupport
import Testing

@testable import DroverCLI

@Suite("Terminal text")
struct TerminalTextTests {
    @Test(
        "only shows, whatever a host says",
        arguments: [
            ("plain, with ✓ and \u{1F600}\ta\nb", "plain, with ✓ and \u{1F600}\ta\nb"),
            ("Protocol mismatch: \u{1b}]0;owned\u{7}x", "Protocol mismatch: ]0;ownedx"),
            ("\u{1b}[2J\u{1b}[1;1Hhome", "home"), ("a\u{9b}2Jb", "ab"), ("a\u{90}q\u{9c}b", "aqb"),
            ("a\u{8}\u{8}b\rc\u{0}\u{7f}", "abc"), ("\u{1b}[8mhidden", "hidden"), ("\u{1b}c\u{1b}", "c"),
            ("\u{1b}[31", "31"), ("the database 'a\u{202e}b\u{2066}c'", "the database 'abc'"),
            ("\u{1b}[3\u{1b}[0m1mred", "3\u{1b}[0m1mred"),
            (Style(isColoured: true).red("✗") + " x", "\u{1b}[31m✗\u{1b}[0m x"),
        ])
    func shows(text: String, expected: String) {
        #expect(TerminalText(text).text == expected)
    }

    @Test("every colour of the program passes")
    func colours() {
        let style = Style(isColoured: true)
        for colour in [style.bold, style.faint, style.red, style.green, style.yellow, style.cyan] {
            #expect(TerminalText(colour("\u{7}x")).text == colour("x"))
        }
    }

    @Test("JSON keeps what was said, and escapes it")
    func json() throws {
        let said = ["\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{61c}\u{feff}é"]
        let text = TerminalText(json: try JSONEncoder().encode(said)).text
        #expect(text.unicodeScalars.allSatisfy { !TerminalText.isControl($0) })
        #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == said)
    }

    @Test("nothing else reaches the terminal")
    func onlyExit() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var others: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            // What was decrypted is handed out byte for byte.
            guard !["Terminal.swift", "SecretViewCommand.swift"].contains(file.lastPathComponent) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            let prints =
                /(^|[^.A-Za-z])(debugPrint|print|puts|fputs|NSLog)\(|FileHandle\.standard|standard(Output|Error)\.write/
            for line in text.split(separator: "\n") where line.contains(prints) {
                others.append("\(file.path): \(line)")
            }
        }
        #expect(others == [])
    }
}
