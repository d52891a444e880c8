import NIOCore
import NIOPosix

/// A connection to an ssh-agent, which signs with its keys and never hands them out.
struct Agent: Sendable {
    private let channel: any Channel

    /// - Parameter socket: the path of its Unix socket, as in `SSH_AUTH_SOCK`.
    static func connect(to socket: String, on eventLoop: any EventLoop) async throws -> Agent {
        let channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AgentHandler())
                }
            }
            .connect(unixDomainSocketPath: socket).get()
        return Agent(channel: channel)
    }

    /// The keys that it holds; none when it is locked.
    func keys() async throws -> [AgentKey] {
        AgentMessage.identities(in: try await answer(to: AgentMessage.requestIdentities)) ?? []
    }

    /// The signature of `data`, or nil when the agent refuses, for instance because its owner did not confirm.
    func sign(_ data: [UInt8], with key: HostKey) async throws -> [UInt8]? {
        let request = AgentMessage.sign(data, with: key, flags: AgentMessage.flags(for: data))
        return AgentMessage.signature(in: try await answer(to: request))
    }

    /// Ends the connection; who waits for an answer gets an error.
    func close() {
        channel.close(promise: nil)
    }

    private func answer(to message: [UInt8]) async throws -> [UInt8] {
        let answer = channel.eventLoop.makePromise(of: [UInt8].self)
        let request = AgentRequest(message: message, answer: answer)
        channel.writeAndFlush(request).cascadeFailure(to: answer)
        return try await answer.futureResult.get()
    }
}

/// A message, and who waits for the answer to it.
private struct AgentRequest: Sendable {
    let message: [UInt8]
    let answer: EventLoopPromise<[UInt8]>
}

/// Sends one request after the other, and hands each answer to the one who has asked.
private final class AgentHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = AgentRequest
    typealias OutboundOut = ByteBuffer

    private var waiting = CircularBuffer<EventLoopPromise<[UInt8]>>()
    private var incoming = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        guard context.channel.isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        waiting.append(request.answer)
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(request.message.count))
        buffer.writeBytes(request.message)
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        incoming.writeBuffer(&buffer)
        while let length = incoming.getInteger(at: incoming.readerIndex, as: UInt32.self) {
            guard length <= AgentMessage.longest else { return context.close(promise: nil) }
            guard incoming.readableBytes >= 4 + Int(length) else { return }
            incoming.moveReaderIndex(forwardBy: 4)
            waiting.popFirst()?.succeed(incoming.readBytes(length: Int(length)) ?? [])
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        while let answer = waiting.popFirst() { answer.fail(ChannelError.ioOnClosedChannel) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
