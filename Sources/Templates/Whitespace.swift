/// What markup takes with it of the white space around it.
enum Whitespace {
    /// The pieces without the lines that hold nothing but blocks, and without the white space beside `{%-` and `-%}`.
    static func trimmed(_ pieces: [Piece]) -> [Piece] {
        var result = pieces
        for index in pieces.indices where pieces[index].isBlock && standsAlone(index, in: pieces) {
            if index > 0, let text = result[index - 1].text { result[index - 1].text = droppingLastLine(text) }
            if index + 1 < pieces.count, let text = result[index + 1].text {
                result[index + 1].text = droppingFirstLine(text)
            }
        }
        for index in pieces.indices {
            if pieces[index].trimsBefore, index > 0, let text = result[index - 1].text {
                result[index - 1].text = String(text.reversed().drop { $0.isWhitespace }.reversed())
            }
            if pieces[index].trimsAfter, index + 1 < pieces.count, let text = result[index + 1].text {
                result[index + 1].text = String(text.drop { $0.isWhitespace })
            }
        }
        return result
    }

    private static func standsAlone(_ index: Int, in pieces: [Piece]) -> Bool {
        isBlankToNewline(pieces[..<index].reversed()) { $0.reversed() }
            && isBlankToNewline(pieces[(index + 1)...]) { $0 }
    }

    /// Whether nothing but blanks and blocks comes before the next newline, in the direction of both sequences.
    private static func isBlankToNewline<Characters: Sequence<Character>>(
        _ pieces: some Sequence<Piece>, _ characters: (String) -> Characters
    ) -> Bool {
        for piece in pieces where !piece.isBlock {
            guard let text = piece.text else { return false }
            for character in characters(text) {
                if character.isNewline { return true }
                if !character.isWhitespace { return false }
            }
        }
        return true
    }

    private static func droppingLastLine(_ text: String) -> String {
        text.lastIndex(where: \.isNewline).map { String(text[...$0]) } ?? ""
    }

    private static func droppingFirstLine(_ text: String) -> String {
        text.firstIndex(where: \.isNewline).map { String(text[text.index(after: $0)...]) } ?? ""
    }
}
