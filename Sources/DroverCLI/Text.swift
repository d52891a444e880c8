/// Small pieces of text.
package enum Text {
    /// `0.31 s`, `72.4 s`.
    package static func seconds(_ seconds: Double) -> String {
        let digits = seconds < 10 ? 2 : 1
        let scale = digits == 2 ? 100.0 : 10.0
        let rounded = Int((seconds * scale).rounded())
        let fraction = String(rounded % Int(scale))
        return "\(rounded / Int(scale)).\(String(repeating: "0", count: digits - fraction.count))\(fraction) s"
    }

    /// A time that goes on, without more digits than can be read: `1.3 s`, `42 s`, `1:05`, `1:00:05`.
    package static func elapsed(_ seconds: Double) -> String {
        let tenths = Int(max(0, seconds) * 10)
        let whole = tenths / 10
        if whole < 10 { return "\(whole).\(tenths % 10) s" }
        if whole < 60 { return "\(whole) s" }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, two(whole % 60))
        return hours == 0 ? "\(minutes):\(rest)" : "\(hours):\(two(minutes)):\(rest)"
    }

    /// `1 host`, `2 hosts`.
    package static func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

    /// The text with blanks behind it up to a width.
    package static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    /// The text with blanks before it up to a width.
    static func aligned(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
    }

    /// The text, or so much of its begin as fits a width together with the sign that something is missing.
    package static func cut(_ text: String, _ width: Int) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var room = width - 1
        for character in text {
            room -= DisplayWidth.of(character)
            if room < 0 { break }
            result.append(character)
        }
        return result + "…"
    }

    /// The text in lines of at most a width, broken between words; all but the first are indented. A word that is longer
    /// stays whole.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        guard DisplayWidth.of(text) > width else { return [text] }
        let indent = String(text.prefix { $0 == " " })
        var lines: [String] = []
        var line = indent
        for word in text.dropFirst(indent.count).split(separator: " ") {
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
                lines.append(line)
                line = indent + "    " + word
            } else {
                line += (isFirst ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    /// Rows of cells, each column as wide as its widest cell.
    package static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { padded($1, widths[$0]) }.joined(separator: "  ")
            return String(cells.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// A line as a terminal would have shown it in the end: nothing in it moves the cursor or changes a colour.
    package static func printable(_ line: String) -> String {
        guard line.utf8.contains(where: { $0 < 0x20 || [0x7F, 0xC2, 0xD8, 0xE2].contains($0) }) else { return line }
        let shown = line.replacing(/\x{1b}(\[[0-9;:?]*[ -\/]*[@-~]|\][^\x{07}\x{1b}]*(\x{07}|\x{1b}\\)?|.)/, with: "")
        let last = shown.unicodeScalars.split(separator: "\r").last ?? []
        return String(
            String.UnicodeScalarView(last.filter { $0 == "\t" || !TerminalText.isControl($0) }))
    }
}
