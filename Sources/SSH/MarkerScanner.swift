import Glibc

/// Finds the mark that ends a request's output in one of its two streams: RS, the request's name, a space, the exit
/// status, RS (see ``BootText``). What comes before may hold any bytes and arrive in pieces of any size.
struct MarkerScanner {
    /// The exit status that the mark tells, once it was seen.
    private(set) var status: Int32?

    private static let separator: UInt8 = 0x1e
    /// No mark of a request is longer: RS, 32 digits, a space, up to 10 digits and a sign, RS.
    private static let longestStatus = 11
    private let prefix: [UInt8]
    /// The end of what was seen, when it may be the beginning of the mark.
    private var held: [UInt8] = []

    init(_ id: RequestID) {
        prefix = [Self.separator] + Array("\(id) ".utf8)
    }

    /// Takes the next piece of the stream.
    ///
    /// - Returns: the output that is certain by now, without the mark; what follows the mark is dropped.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard status == nil else { return [] }
        if held.isEmpty { return search(bytes) }
        let joined = held + bytes
        held = []
        return joined.withUnsafeBytes { search($0) }
    }

    private mutating func search(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var start = 0
        while let found = Self.firstSeparator(in: bytes, from: start) {
            switch match(UnsafeRawBufferPointer(rebasing: bytes[found...])) {
            case .mark(let status):
                self.status = status
                return Array(UnsafeRawBufferPointer(rebasing: bytes[..<found]))
            case .beginning:
                held = Array(UnsafeRawBufferPointer(rebasing: bytes[found...]))
                return Array(UnsafeRawBufferPointer(rebasing: bytes[..<found]))
            case .other:
                start = found + 1
            }
        }
        return Array(bytes)
    }

    private enum Match {
        case mark(Int32)
        case beginning
        case other
    }

    private func match(_ bytes: UnsafeRawBufferPointer) -> Match {
        guard memcmp(bytes.baseAddress!, prefix, min(bytes.count, prefix.count)) == 0 else { return .other }
        guard let end = Self.firstSeparator(in: bytes, from: prefix.count) else {
            return bytes.count <= prefix.count + Self.longestStatus ? .beginning : .other
        }
        guard let status = Int32(String(decoding: bytes[prefix.count..<end], as: UTF8.self)) else { return .other }
        return .mark(status)
    }

    /// By memchr: outputs may be large, and may hold many separators.
    private static func firstSeparator(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        return memchr(base + start, CInt(separator), bytes.count - start).map {
            $0 - UnsafeMutableRawPointer(mutating: base)
        }
    }
}
