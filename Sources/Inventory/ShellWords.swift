/// The words of a line, with quotes as a shell has them.
///
/// Source: Python's `shlex.split` with comments, by which Ansible's ini plugin splits the lines of hosts.
struct ShellWords {
    /// Why a line cannot be split.
    enum Fault: Error {
        case openQuote
        case loneBackslash
    }

    struct Word {
        var text: String
        /// The number of the characters before it in the line.
        var offset: Int
    }

    private var bytes: Substring.UTF8View
    /// The characters read so far.
    private var offset = 0
    private var words: [Word] = []
    private var word: (bytes: [UInt8], offset: Int)?

    static func split(_ line: Substring) throws(Fault) -> [Word] {
        var splitter = ShellWords(bytes: line.utf8)
        try splitter.split()
        return splitter.words
    }

    private init(bytes: Substring.UTF8View) {
        self.bytes = bytes
    }

    private mutating func split() throws(Fault) {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): end()
            case UInt8(ascii: "#"):
                end()
                return
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                begin()
                try readQuoted(by: byte)
            case UInt8(ascii: "\\"):
                begin()
                guard let escaped = next() else { throw .loneBackslash }
                word?.bytes.append(escaped)
            default:
                begin()
                word?.bytes.append(byte)
            }
        }
        end()
    }

    private mutating func next() -> UInt8? {
        guard let byte = bytes.popFirst() else { return nil }
        // The bytes after the first one of a character.
        if byte & 0xC0 != 0x80 { offset += 1 }
        return byte
    }

    private mutating func begin() {
        if word == nil { word = ([], offset - 1) }
    }

    private mutating func end() {
        if let word { words.append(Word(text: String(decoding: word.bytes, as: UTF8.self), offset: word.offset)) }
        word = nil
    }

    /// Reads up to the closing quote. Only double quotes know a backslash, and only before themselves and another.
    private mutating func readQuoted(by quote: UInt8) throws(Fault) {
        let backslash = UInt8(ascii: "\\")
        while let byte = next() {
            if byte == quote { return }
            if byte == backslash, quote == UInt8(ascii: "\""), bytes.first == backslash || bytes.first == quote {
                if let escaped = next() { word?.bytes.append(escaped) }
            } else {
                word?.bytes.append(byte)
            }
        }
        throw .openQuote
    }
}
