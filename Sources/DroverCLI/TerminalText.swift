import FoundationEssentials

/// Text that a terminal or a log only shows: nothing in it moves the cursor, sets a title or turns the direction of writing.
///
/// Messages quote hosts, and some do so before the host has proved who it is. ``Terminal`` therefore writes nothing else.
struct TerminalText: Hashable, Sendable {
    let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// Any text, without its control characters except tabs, line feeds and the colours of ``Style``.
    init(_ text: String) {
        guard text.utf8.contains(where: Self.isSuspicious) else {
            self.text = text
            return
        }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if first == "\u{1b}" || first == "\u{9b}" {
                let sequence = Self.controlSequence(rest)
                if Style.sequences.contains(where: { sequence.elementsEqual($0.unicodeScalars) }) {
                    result.append(contentsOf: sequence)
                }
                rest = rest[sequence.endIndex...]
            } else {
                if !Self.isControl(first) || first == "\n" || first == "\t" { result.append(first) }
                rest.removeFirst()
            }
        }
        self.text = String(result)
    }

    /// A JSON text, whose strings have control characters escaped. `JSONEncoder` leaves those after ASCII as they are.
    init(json: Data) {
        let json = String(decoding: json, as: UTF8.self)
        guard json.utf8.contains(where: Self.isSuspicious) else {
            text = json
            return
        }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if Self.isControl(scalar), scalar != "\n" {
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        text = String(result)
    }

    /// Moves the cursor to the start of the line that is so many above, and erases everything from there.
    static func erasing(lines: Int) -> TerminalText {
        TerminalText(unchecked: "\r" + (lines > 0 ? "\u{1b}[\(lines)A" : "") + "\u{1b}[J")
    }

    /// Takes the whole terminal, which keeps what stood on it, and hides the cursor.
    static let takingScreen = TerminalText(unchecked: "\u{1b}[?1049h\u{1b}[?25l")

    /// Gives the terminal back as it was.
    static let leavingScreen = TerminalText(unchecked: "\u{1b}[?25h\u{1b}[?1049l")

    /// Writes lines over those of the screen, from its top, without a moment in which they are missing.
    ///
    /// - Parameter lines: none longer than the screen is wide, and no more than it is high.
    static func over(_ lines: [String]) -> TerminalText {
        let rows = lines.map { TerminalText($0).text.replacing("\n", with: " ") + "\u{1b}[K" }
        return TerminalText(unchecked: "\u{1b}[H" + rows.joined(separator: "\r\n") + "\u{1b}[J")
    }

    static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(unchecked: left.text + right.text)
    }

    /// Whether a character is no text: a control character, or one that changes the direction of the text after it.
    ///
    /// Source: Unicode 16, `Bidi_Control` in PropList.txt.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
    }

    /// Whether a byte of UTF-8 may belong to what `isControl` finds.
    private static func isSuspicious(_ byte: UInt8) -> Bool {
        (byte < 0x20 && byte != 0x0A && byte != 0x09) || [0x7F, 0xC2, 0xD8, 0xE2].contains(byte)
    }

    /// A control sequence at the begin of a text, or only the escape character of any other sequence: that has no bound.
    ///
    /// Source: ECMA-48, section 5.4.
    private static func controlSequence(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        var end = text.index(after: text.startIndex)
        if text.first == "\u{1b}" {
            guard end < text.endIndex, text[end] == "[" else { return text[..<end] }
            end = text.index(after: end)
        }
        let start = end
        while end < text.endIndex, (0x20...0x3F).contains(text[end].value) { end = text.index(after: end) }
        guard end < text.endIndex, (0x40...0x7E).contains(text[end].value) else { return text[..<start] }
        return text[...end]
    }
}
