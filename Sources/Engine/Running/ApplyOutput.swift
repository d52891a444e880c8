/// Reads the output of an ``ApplyScript`` as it arrives, in pieces of any size.
struct ApplyOutput {
    enum Event: Hashable {
        case began(step: Int)
        case printed(String)
        case ended(status: Int32)
        /// The script has ended before this step, because it was asked to.
        case halted(before: Int)
        /// How many processes came into being on the host.
        case forked(Int)
    }

    /// How much of a line is kept of each of its ends, in bytes.
    static let halfOfLine = 65_536

    private let marker: [UInt8]
    private var line: [UInt8] = []

    init(nonce: String) {
        marker = Array("\u{1e}\(nonce) ".utf8)
    }

    /// - Returns: what the further bytes tell: whole lines only.
    mutating func read(_ bytes: some Collection<UInt8>) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            append(rest[..<end])
            events += takeLine()
            rest = rest[rest.index(after: end)...]
        }
        append(rest)
        return events
    }

    /// A line without an end is cut in its middle: the marker stands at its end.
    private mutating func append(_ bytes: some Sequence<UInt8>) {
        line += bytes
        let half = Self.halfOfLine
        // Seldom enough that each byte is moved once at most.
        if line.count > 4 * half { line.removeSubrange(half..<(line.count - half)) }
    }

    /// What is left when the output has ended without a line break.
    mutating func finish() -> [Event] {
        line.isEmpty ? [] : takeLine()
    }

    /// A step that ends without a line break leaves its last words before the marker on the same line.
    private mutating func takeLine() -> [Event] {
        defer { line.removeAll(keepingCapacity: true) }
        guard let range = line[...].firstRange(of: marker) else {
            return [.printed(String(decoding: line, as: UTF8.self))]
        }
        let before = line[..<range.lowerBound]
        let words = String(decoding: line[range.upperBound...], as: UTF8.self).split(separator: " ")
        var events: [Event] = before.isEmpty ? [] : [.printed(String(decoding: before, as: UTF8.self))]
        switch (words.first, words.last.flatMap { Int32($0) }) {
        case ("begin", let step?): events.append(.began(step: Int(step)))
        case ("end", let status?): events.append(.ended(status: status))
        case ("halt", let step?): events.append(.halted(before: Int(step)))
        case ("forks", let count?): events.append(.forked(Int(count)))
        default: events.append(.printed(String(decoding: line, as: UTF8.self)))
        }
        return events
    }
}
