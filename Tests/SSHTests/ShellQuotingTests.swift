import Testing

@testable import SSH

@Suite("Shell quoting")
struct ShellQuotingTests {
    @Test(
        "makes one word of any text",
        arguments: [
            ("", "''"), ("plain", "'plain'"), ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("''", #"''\'''\'''"#),
            ("a\nb $c `d` \\e", "'a\nb $c `d` \\e'"), ("'\u{301}", "''\\''\u{301}'"),
        ])
    func quoted(text: String, word: String) {
        #expect(text.shellQuoted.utf8.elementsEqual(word.utf8))
    }

    @Test(
        "writes seconds as sleep reads them",
        arguments: [(Duration.seconds(45), "45.000"), (.milliseconds(50), "0.050"), (.milliseconds(1500), "1.500")])
    func seconds(duration: Duration, text: String) {
        #expect(duration.shellSeconds == text)
    }
}
