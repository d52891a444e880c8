/// Lines as they fit a screen.
struct ScreenFrame: Hashable {
    let rows: [String]

    /// - Parameter size: of the terminal, in columns and lines.
    init(_ lines: [ScreenLine], size: (width: Int, height: Int), style: Style) {
        var shown = lines
        if lines.count > size.height {
            let kept = max(0, size.height - 1)
            shown = lines.prefix(kept) + [ScreenLine("… \(Text.count(lines.count - kept, "more line"))", .faint)]
        }
        rows = shown.map { $0.rendered(style, width: size.width) }
    }
}
