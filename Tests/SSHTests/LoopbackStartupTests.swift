import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import SSH

/// Many connections at once, and hosts that turn them away.
@Suite("Loopback: startups", .timeLimit(.minutes(1)))
struct LoopbackStartupTests {
    @Test("comes again to an sshd that has too many connections at once")
    func maxStartups() async throws {
        try await LoopbackServer.serving(settings: ["MaxStartups 1"]) { server in
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let connection = try await server.connect()
                        let text = try await connection.openShell().run("echo \(number)").standardOutputText
                        await connection.close()
                        return text
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(texts.count == 8)
        }
    }

    @Test(
        "comes again only to what may be an sshd",
        arguments: [("HTTP/1.1 400 Bad Request\r\n", false), ("Exceeded MaxStartups\r\n", true), ("", true)])
    func turnedAway(greeting: String, comesAgain: Bool) async throws {
        let visits = Visits()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(HangUp(greeting: greeting, visits: visits))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let error = await #expect(throws: SSHError.self) { try await connect(to: port) }
        try await listener.close()
        #expect(error?.code == .unreachable)
        #expect(visits.count.withLock { $0 } == (comesAgain ? 2 : 1))
    }

    private func connect(to port: Int) async throws {
        _ = try await SSHConnection.connect(
            to: SSHDestination(address: "127.0.0.1", port: port, user: "nobody"),
            on: .singletonMultiThreadedEventLoopGroup)
    }
}

private final class Visits: Sendable {
    let count = Mutex(0)
}

/// Says a word and hangs up.
private final class HangUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: String
    private let visits: Visits

    init(greeting: String, visits: Visits) {
        self.greeting = greeting
        self.visits = visits
    }

    /// Once the other side has spoken, so that no reset swallows the word.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let count = visits.count.withLock { count in
            count += 1
            return count
        }
        let words = count == 1 ? greeting : "HTTP/1.1 400 Bad Request\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: words)), promise: nil)
        context.close(promise: nil)
    }
}
