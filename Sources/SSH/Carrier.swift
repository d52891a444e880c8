import NIOCore

/// What carries the bytes of a ``Wire``: a socket, or a channel of a connection to a jump host.
protocol Carrier: AnyObject {
    /// Whether more can be sent without piling it up in memory.
    var isWritable: Bool { get }
    func send(_ bytes: ByteBuffer)
    func close()
}

/// A socket.
final class SocketCarrier: Carrier {
    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    var isWritable: Bool { channel.isWritable }
    func send(_ bytes: ByteBuffer) { channel.writeAndFlush(bytes, promise: nil) }
    func close() { channel.close(promise: nil) }
}
