import NIOCore

/// A program's input and its two outputs, wherever it runs.
///
/// Used on one event loop only.
protocol ShellChannel: AnyObject {
    /// Whoever waits for the program waits here.
    var wire: Wire { get }

    /// Whether the program has closed its outputs and everything was read.
    var isAtEnd: Bool { get }

    /// Sends as much of `buffer` as is taken now.
    func write(_ buffer: inout ByteBuffer) throws

    /// Reads once, into the whole of `memory`.
    ///
    /// - Returns: how many bytes there were; 0 when there are none now.
    func read(_ stream: ShellStream, into memory: UnsafeMutableRawBufferPointer) throws -> Int

    /// Tells the program that its input ends here.
    func sendEnd()
}

/// Which of a program's outputs.
enum ShellStream: CInt, CaseIterable {
    case output = 0
    case error = 1
}

extension ShellChannel {
    /// Reads whatever there is now.
    func readAll(_ stream: ShellStream) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 1) { memory in
            while case let count = try read(stream, into: memory), count > 0 { bytes += memory[..<count] }
        }
        return bytes
    }

    /// Sends all of a short text.
    func send(_ text: String, isolation: isolated (any Actor)? = #isolation) async throws {
        var buffer = ByteBuffer(string: text)
        while true {
            try write(&buffer)
            guard buffer.readableBytes > 0 else { return }
            await wire.activity()
            if let failure = wire.failure { throw failure }
        }
    }
}
