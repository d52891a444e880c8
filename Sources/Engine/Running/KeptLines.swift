/// What is kept of the lines that a step prints: the first and the last ones. A program may print without end.
struct KeptLines {
    /// How many of the first, and how many of the last.
    static let limit = 500
    /// How many bytes of each line.
    static let width = 4000

    private var first: [String] = []
    private var last: [String] = []
    private var dropped = 0

    mutating func append(_ line: String) {
        let line = Self.shortened(line)
        guard first.count == Self.limit else { return first.append(line) }
        last.append(line)
        guard last.count == 2 * Self.limit else { return }
        last.removeFirst(Self.limit)
        dropped += Self.limit
    }

    mutating func removeAll() { self = KeptLines() }

    /// In their order, with a line that says how many are missing where that is so.
    var lines: [String] {
        let missing = dropped + max(0, last.count - Self.limit)
        return first + (missing > 0 ? ["… \(missing) lines are left out …"] : []) + last.suffix(Self.limit)
    }

    private static func shortened(_ line: String) -> String {
        guard line.utf8.count > width else { return line }
        let (begin, end) = (line.utf8.prefix(width / 2), line.utf8.suffix(width / 2))
        return String(decoding: begin, as: UTF8.self) + " … " + String(decoding: end, as: UTF8.self)
    }
}
