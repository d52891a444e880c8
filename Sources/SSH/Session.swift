import CLibSSH2
import Glibc

/// An SSH session of libssh2, fed by a ``Wire``. It blocks never: what cannot be done yet is tried again when the
/// wire has seen activity.
///
/// Used on one event loop only.
final class Session {
    let wire: Wire
    let handle: OpaquePointer
    let callbacks: SessionCallbacks

    init(_ wire: Wire) throws(SSHError) {
        try Library.initialize()
        callbacks = SessionCallbacks(wire)
        // The callbacks find this through the pointer. It is not retained: the session owns it.
        let context = Unmanaged.passUnretained(callbacks).toOpaque()
        guard let handle = libssh2_session_init_ex(nil, nil, nil, context) else {
            throw SSHError(.protocolFailure, "libssh2 cannot make a session: out of memory")
        }
        self.wire = wire
        self.handle = handle
        libssh2_session_set_blocking(handle, 0)
        libssh2_session_callback_set(
            handle, LIBSSH2_CALLBACK_RECV, unsafeBitCast(receive, to: UnsafeMutableRawPointer.self))
        libssh2_session_callback_set(
            handle, LIBSSH2_CALLBACK_SEND, unsafeBitCast(send, to: UnsafeMutableRawPointer.self))
    }

    /// Frees the session and what channels it has left. The wire is cut first: freeing would wait for the host.
    deinit {
        wire.fail(SSHError(.connectionLost, "the connection was closed"))
        wire.discard()
        while libssh2_session_free(handle) == LIBSSH2_ERROR_EAGAIN {}
    }

    /// Calls a function of libssh2 again and again until it has an answer other than "not yet".
    ///
    /// - Returns: its answer, which is negative for an error.
    /// - Throws: why the wire has failed.
    func complete(
        isolation: isolated (any Actor)? = #isolation, _ function: (OpaquePointer) -> CInt
    ) async throws -> CInt {
        while true {
            let answer = function(handle)
            wire.flush()
            if answer >= 0 { return answer }
            if let failure = wire.failure { throw failure }
            if answer != LIBSSH2_ERROR_EAGAIN { return answer }
            await wire.activity()
        }
    }

    /// Calls a function that either makes something or says through the session why not.
    ///
    /// - Throws: why the wire has failed, or `.protocolFailure` with the words of libssh2.
    func make(
        isolation: isolated (any Actor)? = #isolation, _ what: String, _ function: (OpaquePointer) -> OpaquePointer?
    ) async throws -> OpaquePointer {
        var made: OpaquePointer?
        let answer = try await complete { handle in
            made = function(handle)
            return made == nil ? libssh2_session_last_errno(handle) : 0
        }
        guard let made else { throw protocolFailure(what, answer) }
        return made
    }

    func protocolFailure(_ what: String, _ answer: CInt) -> SSHError {
        SSHError(.protocolFailure, "\(what) failed: \(lastMessage) (libssh2 error \(answer))")
    }

    private var lastMessage: String {
        var text: UnsafeMutablePointer<CChar>?
        libssh2_session_last_error(handle, &text, nil, 0)
        return text.map { String(cString: $0) } ?? "no reason given"
    }
}

/// What the functions that libssh2 calls back work on.
final class SessionCallbacks {
    let wire: Wire
    /// Set while the host may ask for the password.
    var questions: PasswordQuestions?

    init(_ wire: Wire) {
        self.wire = wire
    }
}

/// LIBSSH2_RECV_FUNC: the number of bytes, 0 at the end, a negated errno otherwise.
private let receive:
    @convention(c) (CInt, UnsafeMutableRawPointer, Int, CInt, UnsafePointer<UnsafeMutableRawPointer>) -> Int = {
        _, buffer, count, _, context in
        let wire = Unmanaged<SessionCallbacks>.fromOpaque(context.pointee).takeUnretainedValue().wire
        return wire.receive(into: buffer, count: count) ?? -Int(EAGAIN)
    }

/// LIBSSH2_SEND_FUNC: the number of bytes, which is always all of them, or a negated errno.
private let send: @convention(c) (CInt, UnsafeRawPointer, Int, CInt, UnsafePointer<UnsafeMutableRawPointer>) -> Int = {
    _, bytes, count, _, context in
    let wire = Unmanaged<SessionCallbacks>.fromOpaque(context.pointee).takeUnretainedValue().wire
    return wire.send(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -Int(EPIPE)
}
