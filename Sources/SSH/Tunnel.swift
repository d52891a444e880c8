import NIOCore

/// A channel on which a jump host passes bytes on to another host.
///
/// Used on the event loop of the connection to the jump host, which is that of the connection through it, too.
final class Tunnel: Carrier {
    /// More than this is not piled up for a slow jump host.
    private static let longestQueue = 1 << 18

    private let channel: SessionChannel
    private let inner: Wire
    private var outgoing = ByteBuffer()
    private var isPumping = false
    private var isClosed = false

    /// - Parameter inner: the wire of the connection through the jump host.
    init(_ channel: SessionChannel, to inner: Wire) {
        self.channel = channel
        self.inner = inner
        outer.observers[ObjectIdentifier(self)] = { [weak self] in self?.pump() }
        inner.attach(to: self)
    }

    private var outer: Wire { channel.session.wire }

    var isWritable: Bool { !isClosed && outgoing.readableBytes < Self.longestQueue }

    func send(_ bytes: ByteBuffer) {
        var bytes = bytes
        outgoing.writeBuffer(&bytes)
        pump()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        outer.observers[ObjectIdentifier(self)] = nil
        channel.sendEnd()
    }

    /// Moves what can be moved, both ways. Called when something is to be sent, and whenever the outer wire wakes.
    private func pump() {
        // Sending may wake the wire at once.
        guard !isPumping, !isClosed else { return }
        isPumping = true
        defer { isPumping = false }
        do {
            let wasWritable = isWritable
            try channel.write(&outgoing)
            let bytes = try channel.readAll(.output)
            if !bytes.isEmpty {
                var buffer = ByteBuffer(bytes: bytes)
                inner.received(&buffer)
            }
            if !bytes.isEmpty || isWritable != wasWritable { inner.wake() }
            if let failure = outer.failure { throw failure }
            if channel.isAtEnd { inner.closedByHost() }
        } catch {
            inner.fail(error)
        }
    }
}
