import Synchronization

/// Makes lines of what many hosts print at the same time, each with the name of its host before it.
final class HostLines<Stream: Hashable & Sendable>: Sendable {
    private struct Source: Hashable {
        let host: String
        let stream: Stream
    }

    /// From how many bytes on a line is written though it goes on.
    private static var longestLine: Int { 65_536 }

    private let width: Int
    private let write: @Sendable (String, Stream) -> Void
    private let open = Mutex<[Source: [UInt8]]>([:])

    /// - Parameter write: takes whole lines.
    init(hosts: [String], write: @escaping @Sendable (String, Stream) -> Void) {
        width = hosts.map(\.count).max() ?? 0
        self.write = write
    }

    func take(_ bytes: [UInt8], from host: String, on stream: Stream) {
        let newline = UInt8(ascii: "\n")
        open.withLock { open in
            let source = Source(host: host, stream: stream)
            var pieces = bytes.split(separator: newline, omittingEmptySubsequences: false)
            guard let rest = pieces.popLast() else { return }
            var lines = ""
            if let first = pieces.first {
                let begun = open.removeValue(forKey: source) ?? []
                lines = line((begun + first)[...], of: host)
                for piece in pieces.dropFirst() { lines += line(piece, of: host) }
            }
            open[source, default: []] += rest
            // A line without an end is not waited for.
            if let long = open[source], long.count > Self.longestLine {
                lines += line(long[...], of: host)
                open[source] = nil
            }
            if !lines.isEmpty { write(lines, stream) }
        }
    }

    /// Writes what a host has printed without an end of the line.
    func finish() {
        open.withLock { open in
            for (source, rest) in open.sorted(by: { $0.key.host < $1.key.host }) where !rest.isEmpty {
                write(line(rest[...], of: source.host), source.stream)
            }
            open = [:]
        }
    }

    private func line(_ bytes: ArraySlice<UInt8>, of host: String) -> String {
        "\(Text.padded(host, width))  \(Text.printable(String(decoding: bytes, as: UTF8.self)))\n"
    }
}
