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

    @Test(
        "a time that goes on",
        arguments: [
            (-1, "0.0 s"), (0, "0.0 s"), (9.99, "9.9 s"), (10, "10 s"), (59.9, "59 s"), (60, "1:00"), (65.5, "1:05"),
            (3599, "59:59"), (3605, "1:00:05"),
        ])
    func elapsed(seconds: Double, text: String) {
        #expect(Text.elapsed(seconds) == text)
    }

    @Test(
        "how wide a text is",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한", 2), ("✓ → …", 5), ("😀", 2), ("👨‍👩‍👧", 2),
            ("ﾊ", 1), ("\u{200B}", 0), ("❤\u{FE0F}", 2),
        ])
    func width(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(
        "a text is cut to a width",
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("abcd", 1, "…"), ("abcd", 0, ""), ("abcd", -1, ""), ("", 0, ""),
            ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
            ("cafe\u{301}s", 5, "cafe\u{301}s"), ("cafe\u{301}s!", 5, "cafe\u{301}…"),
        ])
    func cut(text: String, width: Int, expected: String) {
        #expect(Text.cut(text, width) == expected)
    }

    @Test(
        "what a program printed cannot paint the screen",
        arguments: [
            ("plain, with ✓", "plain, with ✓"), ("a\tb", "a\tb"), ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("10 %\r50 %\r100 %", "100 %"), ("done\r", "done"), ("\r", ""), ("a\u{8}b\u{7}\u{0}", "ab"),
            ("\u{1b}]0;title\u{7}text", "text"), ("\u{1b}]8;;http://x\u{1b}\\link", "link"), ("a\u{9b}31mb", "a31mb"),
            ("\u{1b}c", ""), ("\u{1b}[2J\u{1b}[Hhome", "home"),
        ])
    func printable(line: String, expected: String) {
        #expect(Text.printable(line) == expected)
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
