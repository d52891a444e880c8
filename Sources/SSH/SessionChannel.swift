import CLibSSH2
import NIOCore

/// A channel of a session on which one program runs, with its input and its two outputs, or which leads to another host.
///
/// Used on one event loop only.
final class SessionChannel: ShellChannel {
    let session: Session
    var wire: Wire { session.wire }
    private let handle: OpaquePointer

    /// Opens a channel and runs `command` on it by the user's login shell.
    init(_ session: Session, command: String, isolation: isolated (any Actor)? = #isolation) async throws {
        self.session = session
        handle = try await session.make("opening a channel") {
            drover_channel_open_session($0)
        }
        let answer = try await session.complete { _ in
            libssh2_channel_process_startup(handle, "exec", 4, command, CUnsignedInt(command.utf8.count))
        }
        guard answer == 0 else { throw session.protocolFailure("starting \(command)", answer) }
    }

    /// Opens a channel on which the host passes bytes on to another address.
    init(
        _ session: Session, to address: String, port: Int, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        self.session = session
        handle = try await session.make("the way on to \(address) port \(port)") {
            libssh2_channel_direct_tcpip_ex($0, address, CInt(port), "127.0.0.1", 0)
        }
    }

    /// Frees the channel, unless that would wait for the host: then the session does it at its own end.
    deinit {
        libssh2_channel_free(handle)
        session.wire.flush()
    }

    var isAtEnd: Bool { libssh2_channel_eof(handle) == 1 }

    func write(_ buffer: inout ByteBuffer) throws {
        while buffer.readableBytes > 0, session.wire.isWritable {
            let written = buffer.readWithUnsafeReadableBytes { bytes in
                let answer = libssh2_channel_write_ex(
                    handle, 0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
                return (max(answer, 0), answer)
            }
            session.wire.flush()
            if written == 0 || written == Int(LIBSSH2_ERROR_EAGAIN) { return }
            try check(written, "sending")
        }
    }

    func read(_ stream: ShellStream, into memory: UnsafeMutableRawBufferPointer) throws -> Int {
        let answer = libssh2_channel_read_ex(
            handle, stream.rawValue, memory.baseAddress?.assumingMemoryBound(to: CChar.self), memory.count)
        // Reading may have answered the host: a larger window, new keys.
        session.wire.flush()
        if answer == Int(LIBSSH2_ERROR_EAGAIN) { return 0 }
        try check(answer, "reading")
        return answer
    }

    func sendEnd() {
        libssh2_channel_send_eof(handle)
        session.wire.flush()
    }

    private func check(_ answer: Int, _ what: String) throws {
        guard answer < 0 else { return }
        if let failure = session.wire.failure { throw failure }
        throw session.protocolFailure(what, CInt(answer))
    }
}
