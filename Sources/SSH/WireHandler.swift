import Glibc
import NIOCore

/// Moves bytes from a socket to a ``Wire``, and tells it of the socket's end.
final class WireHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let wire: Wire

    init(_ wire: Wire) {
        self.wire = wire
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wire.attach(to: SocketCarrier(context.channel))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        wire.received(&buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        acknowledge(context.channel)
        wire.wake()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        wire.wake()
    }

    func channelInactive(context: ChannelHandlerContext) {
        wire.closedByHost()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        wire.closedByHost("the connection broke: \(NetworkFailure.reason(of: error))")
    }

    /// Confirms at once what has arrived. sshd sends small packets one after the other, and its kernel holds back
    /// each until the one before is confirmed (Nagle), for which ours would take its 40 ms time (tcp(7), TCP_QUICKACK).
    private func acknowledge(_ channel: any Channel) {
        try? channel.syncOptions?.setOption(.tcpOption(NIOBSDSocket.Option(rawValue: TCP_QUICKACK)), value: 1)
    }
}
