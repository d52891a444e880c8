/// A position in the log of PostgreSQL, an LSN: `16/B374D848`.
public struct LogPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes of log since the cluster was made.
    public let bytes: UInt64

    public init(bytes: UInt64) {
        self.bytes = bytes
    }

    /// - Returns: nil for what is no position.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isHexDigit) }),
            let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16)
        else { return nil }
        bytes = high << 32 | low
    }

    public var description: String {
        let (high, low) = (String(bytes >> 32, radix: 16), String(bytes & 0xffff_ffff, radix: 16))
        return "\(high)/\(low)".uppercased()
    }

    public static func < (left: LogPosition, right: LogPosition) -> Bool { left.bytes < right.bytes }
}

/// A file of the log by its name, `000000010000000000000003`: eight digits of the timeline, eight and eight of the place.
struct LogSegment: Hashable, Sendable {
    let timeline: Int
    private let high: UInt64
    private let low: UInt64

    init?(_ name: some StringProtocol) {
        let name = String(name)
        guard name.count == 24, name.allSatisfy(\.isHexDigit), let timeline = Int(name.prefix(8), radix: 16),
            let high = UInt64(name.dropFirst(8).prefix(8), radix: 16), let low = UInt64(name.suffix(8), radix: 16)
        else { return nil }
        (self.timeline, self.high, self.low) = (timeline, high, low)
    }

    /// Where it ends.
    ///
    /// - Parameter size: bytes of a segment, `wal_segment_size`.
    func end(segmentSize size: UInt64) -> LogPosition { LogPosition(bytes: high << 32 &+ (low &+ 1) &* size) }
}
