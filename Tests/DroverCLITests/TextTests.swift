import Testing

@testable import DroverCLI

@Suite("Text")
struct TextTests {
    @Test(
        "seconds",
        arguments: [
            (0, "0.00 s"), (0.004, "0.00 s"), (0.306, "0.31 s"), (1.05, "1.05 s"), (9.99, "9.99 s"), (9.996, "10.00 s"),
            (10, "10.0 s"), (72.44, "72.4 s"), (72.96, "73.0 s"), (3600, "3600.0 s"),
        ])
    func seconds(seconds: Double, text: String) {
        #expect(Text.seconds(seconds) == text)
    }

    @Test("columns are as wide as their widest cell, and no line ends in blanks")
    func table() {
        #expect(
            Text.table([["member", "role", "lag"], ["pg1", "", "1"], ["a-long-name", "leader", ""], ["é"], []]) == [
                "member       role    lag",
                "pg1                  1",
                "a-long-name  leader",
                "é",
                "",
            ])
        #expect(Text.table([]) == [])
    }

    @Test("padding", arguments: [("ab", 4, "ab  "), ("ab", 2, "ab"), ("ab", 1, "ab"), ("", 0, "")])
    func padded(text: String, width: Int, expected: String) {
        #expect(Text.padded(text, width) == expected)
    }

    @Test("colours only where they are welcome")
    func style() {
        #expect(Style(isColoured: false).red("x") == "x")
        #expect(Style(isColoured: true).red("x") == "\u{1b}[31mx\u{1b}[0m")
    }
}
