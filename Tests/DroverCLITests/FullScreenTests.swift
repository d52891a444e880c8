import Testing

@testable import DroverCLI

@Suite("Whole screen")
struct FullScreenTests {
    private func frame(_ lines: [ScreenLine], _ width: Int, _ height: Int) -> [String] {
        ScreenFrame(lines, size: (width, height), style: Style(isColoured: false)).rows
    }

    @Test("lines are cut to the width, and their number to the height")
    func fitting() {
        let lines = (1...4).map { ScreenLine([.init("line "), .init("\($0) and more")]) }
        #expect(frame(lines, 20, 4) == ["line 1 and more", "line 2 and more", "line 3 and more", "line 4 and more"])
        #expect(frame(lines, 8, 4)[0] == "line 1 …")
        #expect(frame(lines, 3, 4)[0] == "li…")
        #expect(frame(lines, 20, 3) == ["line 1 and more", "line 2 and more", "… 2 more lines"])
        #expect(frame(lines, 20, 1) == ["… 4 more lines"])
    }

    @Test("tones are colours, or nothing")
    func tones() {
        let line = ScreenLine([.init("a", .bad), .init("b")])
        #expect(line.rendered(Style(isColoured: true), width: 9) == "\u{1b}[31ma\u{1b}[0mb")
        #expect(line.rendered(Style(isColoured: false), width: 9) == "ab")
    }

    @Test("a frame is written over the last one: each line to its end, and nothing below")
    func writing() {
        #expect(TerminalText.over(["one", "two"]).text == "\u{1b}[Hone\u{1b}[K\r\ntwo\u{1b}[K\u{1b}[J")
    }

    @Test("what a host says moves no cursor")
    func hostile() {
        let line = ScreenLine("a\u{1b}[2Jb\u{1b}]0;title\u{7}c")
        #expect(line.text == "abc")
        #expect(TerminalText.over(["x\u{1b}[5;5Hy\nz"]).text == "\u{1b}[Hxy z\u{1b}[K\u{1b}[J")
    }

    @Test("a table has columns as wide as their widest cells")
    func table() {
        let lines = ScreenLine.table([[.init("a"), .init("b")], [.init("long", .bad), .init("c")]])
        #expect(lines.map(\.text) == ["a     b", "long  c"])
    }

    @Test("long lines are wrapped below their last piece")
    func wrapping() {
        let line = ScreenLine([.init("head  ", .bad), .init("one two three")])
        #expect(line.wrapped(13).map(\.text) == ["head  one two", "      three"])
        #expect(line.wrapped(13)[1].pieces.last?.tone == .plain)
        #expect(line.wrapped(40) == [line])
        #expect(ScreenLine().wrapped(3) == [ScreenLine()])
    }
}
