import Testing

@testable import DroverCLI

@Suite("Screen")
struct ScreenTests {
    private func region(_ lines: String...) -> [LiveLine] {
        lines.map { LiveLine(text: $0, width: DisplayWidth.of($0)) }
    }

    @Test("without a region, only whole lines are written")
    func plain() {
        var screen = Screen()
        #expect(screen.show([], below: ["a", "b"], width: 0)?.text == "a\nb\n")
        #expect(screen.show([], width: 0) == nil)
    }

    @Test("the old lines are erased, and the new ones written, at once")
    func over() {
        var screen = Screen()
        #expect(screen.show(region("one", "two"), width: 10)?.text == "\r\u{1b}[Jone\ntwo\n")
        #expect(screen.show(region("one", "two"), width: 10) == nil)
        #expect(screen.show(region("1"), below: ["done"], width: 10)?.text == "\r\u{1b}[2A\u{1b}[Jdone\n1\n")
        #expect(screen.show([], width: 10)?.text == "\r\u{1b}[1A\u{1b}[J")
        #expect(screen.show([], below: ["bye"], width: 10)?.text == "\r\u{1b}[Jbye\n")
    }

    @Test(
        "a terminal that became narrower has wrapped the lines",
        arguments: [(20, 2), (10, 2), (9, 4), (5, 4), (4, 6), (1, 20)])
    func narrow(width: Int, height: Int) {
        var screen = Screen()
        _ = screen.show(region("0123456789", "0123456789"), width: 20)
        #expect(screen.show([], below: ["x"], width: width)?.text == "\r\u{1b}[\(height)A\u{1b}[Jx\n")
    }

    @Test("after something else was written, nothing above is touched")
    func forget() {
        var screen = Screen()
        _ = screen.show(region("one"), width: 10)
        screen.forget()
        #expect(screen.show(region("one"), width: 10)?.text == "\r\u{1b}[Jone\n")
    }
}
