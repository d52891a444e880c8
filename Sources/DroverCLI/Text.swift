/// Small pieces of text.
enum Text {
    /// `0.31 s`, `72.4 s`.
    static func seconds(_ seconds: Double) -> String {
        let digits = seconds < 10 ? 2 : 1
        let scale = digits == 2 ? 100.0 : 10.0
        let rounded = Int((seconds * scale).rounded())
        let fraction = String(rounded % Int(scale))
        return "\(rounded / Int(scale)).\(String(repeating: "0", count: digits - fraction.count))\(fraction) s"
    }

    /// `1 host`, `2 hosts`.
    static func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

    /// The text with blanks behind it up to a width.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Rows of cells, each column as wide as its widest cell.
    static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { padded($1, widths[$0]) }.joined(separator: "  ")
            return String(cells.reversed().drop { $0 == " " }.reversed())
        }
    }
}
