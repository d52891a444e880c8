import Synchronization

/// Makes lines of what many hosts print at the same time, each with the name of its host before it.
final class HostLines<Stream: Hashable & Sendable>: Sendable {
    private struct Source: Hashable {
        let host: String
        let stream: Stream
    }

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
            var text = (open[Source(host: host, stream: stream)] ?? []) + bytes
            let end = text.lastIndex(of: newline).map { $0 + 1 } ?? 0
            let lines = text[..<end].split(separator: newline, omittingEmptySubsequences: false).dropLast()
            text.removeFirst(end)
            open[Source(host: host, stream: stream)] = text
            if !lines.isEmpty { write(lines.map { line($0, of: host) }.joined(), stream) }
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
