/// What stands in the live region of a terminal, and the text that turns it into something else.
///
/// The cursor rests below the region and is never hidden, so that a program that is killed leaves nothing behind but
/// words. What was there is erased and written anew at once, so that nothing flickers. (Erasing only what is left of the old
/// lines would leave blanks behind the new ones, which a terminal that becomes narrower wraps too.)
struct Screen {
    private var drawn: [LiveLine] = []
    private var width = 0

    /// - Parameters:
    ///   - permanent: whole lines that stay, above the region.
    ///   - width: that of the terminal now, in columns; 0 when there is none.
    /// - Returns: what has to be written, at once; nil when nothing has changed.
    mutating func show(_ region: [LiveLine], below permanent: [String] = [], width: Int) -> TerminalText? {
        guard !permanent.isEmpty || region != drawn || width != self.width else { return nil }
        defer { (drawn, self.width) = (region, width) }
        let lines = TerminalText((permanent + region.map(\.text)).map { $0 + "\n" }.joined())
        if width == 0 { return lines.text.isEmpty ? nil : lines }
        let height = height(of: drawn, width)
        // Also where nothing is drawn: a Ctrl-C is echoed into the line of the cursor.
        return .erasing(lines: height) + lines
    }

    /// Something else was written below the region, which stays where it is.
    mutating func forget() { drawn = [] }

    /// A terminal that became narrower has wrapped the lines.
    private func height(of lines: [LiveLine], _ width: Int) -> Int {
        lines.map { max(1, ($0.width + width - 1) / max(1, width)) }.reduce(0, +)
    }
}
