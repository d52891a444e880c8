import NIOCore

/// Moves bytes from a socket to a ``Wire``, and tells it of the socket's end.
final class WireHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let wire: Wire

    init(_ wire: Wire) {
        self.wire = wire
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wire.attach(to: context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        wire.received(&buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wire.wake()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        wire.wake()
    }

    func channelInactive(context: ChannelHandlerContext) {
        wire.fail(SSHError(.connectionLost, "the host closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        wire.fail(SSHError(.connectionLost, "the connection broke: \(NetworkFailure.reason(of: error))"))
    }
}
