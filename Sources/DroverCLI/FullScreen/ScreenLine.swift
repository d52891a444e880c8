/// A line on a screen, in pieces that look different.
package struct ScreenLine: Hashable, Sendable {
    /// How a piece looks.
    package enum Tone: Hashable, Sendable {
        case plain, strong, faint, good, warning, bad, accent
    }

    package struct Piece: Hashable, Sendable {
        package let text: String
        package let tone: Tone

        package init(_ text: String, _ tone: Tone = .plain) {
            self.text = Text.printable(text)
            self.tone = tone
        }
    }

    package var pieces: [Piece]

    package init(_ pieces: [Piece] = []) { self.pieces = pieces }

    package init(_ text: String, _ tone: Tone = .plain) { pieces = [Piece(text, tone)] }

    /// The words of the line, without how they look.
    package var text: String { pieces.map(\.text).joined() }

    /// The line, or so much of its begin as fits a width.
    func rendered(_ style: Style, width: Int) -> String {
        var room = width
        var result = ""
        for piece in pieces where room > 0 {
            let text = Text.cut(piece.text, room)
            room -= DisplayWidth.of(text)
            result += style.toned(text, piece.tone)
        }
        return result
    }

    /// Rows of cells, each column as wide as its widest cell.
    package static func table(_ rows: [[Piece]]) -> [ScreenLine] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? DisplayWidth.of($0[column].text) : 0 }.max() ?? 0
        }
        return rows.map { row in
            ScreenLine(
                row.enumerated().flatMap { column, piece in
                    let blanks = widths[column] - DisplayWidth.of(piece.text) + 2
                    return [piece] + (column == row.count - 1 ? [] : [Piece(String(repeating: " ", count: blanks))])
                })
        }
    }

    /// The line in several of at most a width, broken between words; all but the first are indented like the second piece.
    package func wrapped(_ width: Int) -> [ScreenLine] {
        guard DisplayWidth.of(text) > width, let last = pieces.last else { return [self] }
        let head = pieces.dropLast()
        let indent = head.map { DisplayWidth.of($0.text) }.reduce(0, +)
        var lines: [String] = [""]
        for word in last.text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if !line.isEmpty, indent + DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
                lines.append(String(word))
            } else {
                lines[lines.count - 1] += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines.enumerated().map { index, line in
            let before = index == 0 ? Array(head) : [Piece(String(repeating: " ", count: indent))]
            return ScreenLine(before + [Piece(line, last.tone)])
        }
    }
}

extension Style {
    fileprivate func toned(_ text: String, _ tone: ScreenLine.Tone) -> String {
        switch tone {
        case .plain: text
        case .strong: bold(text)
        case .faint: faint(text)
        case .good: green(text)
        case .warning: yellow(text)
        case .bad: red(text)
        case .accent: cyan(text)
        }
    }
}
