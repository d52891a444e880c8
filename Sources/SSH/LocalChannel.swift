import FoundationEssentials
import NIOCore
import NIOPosix
import Subprocess
import SystemPackage

/// A program on this machine.
///
/// Used on one event loop only.
final class LocalChannel: ShellChannel {
    let wire = Wire()
    private let input: any Channel
    private let outputs: [ShellStream: PipeReader]

    /// Runs `command` by `/bin/sh`, in a session of its own, which Ctrl-C does not reach, and without this program's
    /// environment, as on any other host.
    init(command: String, on eventLoop: any EventLoop, isolation: isolated (any Actor)? = #isolation) async throws {
        let programInput = try SystemPackage.FileDescriptor.pipe()
        let programOutput = try SystemPackage.FileDescriptor.pipe()
        let programErrors = try SystemPackage.FileDescriptor.pipe()
        let inherited = ProcessInfo.processInfo.environment
        let names: [Environment.Key] = ["HOME", "LOGNAME", "PATH", "USER"]
        let environment = names.reduce(into: [:]) { $0[$1] = inherited[$1.rawValue] }
        var options = PlatformOptions()
        options.createSession = true
        Task { [options] in
            // How it ends is seen by its outputs.
            _ = try? await run(
                .path("/bin/sh"), arguments: ["-c", command], environment: .custom(environment),
                platformOptions: options,
                input: .fileDescriptor(programInput.readEnd, closeAfterSpawningProcess: true),
                output: .fileDescriptor(programOutput.writeEnd, closeAfterSpawningProcess: true),
                error: .fileDescriptor(programErrors.writeEnd, closeAfterSpawningProcess: true))
        }
        let wire = NIOLoopBound(wire, eventLoop: eventLoop)
        func reader(of file: SystemPackage.FileDescriptor) async throws -> PipeReader {
            let reader = NIOLoopBound(PipeReader(wire.value), eventLoop: eventLoop)
            _ = try await NIOPipeBootstrap(group: eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(reader.value)
                    }
                }
                .takingOwnershipOfDescriptor(input: file.rawValue).get()
            return reader.value
        }
        outputs = [
            .output: try await reader(of: programOutput.readEnd), .error: try await reader(of: programErrors.readEnd),
        ]
        input = try await NIOPipeBootstrap(group: eventLoop)
            .takingOwnershipOfDescriptor(output: programInput.writeEnd.rawValue).get()
        wire.value.attach(to: SocketCarrier(input))
    }

    deinit {
        input.close(promise: nil)
    }

    var isAtEnd: Bool { outputs.values.allSatisfy(\.isAtEnd) }

    func write(_ buffer: inout ByteBuffer) throws {
        guard buffer.readableBytes > 0, input.isActive else { return }
        input.writeAndFlush(buffer, promise: nil)
        buffer.clear()
    }

    func read(_ stream: ShellStream, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        outputs[stream]?.read(into: memory) ?? 0
    }

    func sendEnd() {
        input.close(promise: nil)
    }
}

/// What a program has printed and nobody has read.
///
/// Used on one event loop only.
private final class PipeReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let wire: Wire
    private var buffer = ByteBuffer()
    private var hasEnded = false

    /// - Parameter wire: learns when there is more.
    init(_ wire: Wire) {
        self.wire = wire
    }

    var isAtEnd: Bool { hasEnded && buffer.readableBytes == 0 }

    func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let taken = min(memory.count, buffer.readableBytes)
        buffer.readWithUnsafeReadableBytes { bytes in
            memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
            return taken
        }
        if buffer.readableBytes == 0 { buffer.clear() }
        return taken
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        buffer.writeBuffer(&bytes)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        wire.wake()
    }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        wire.wake()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
