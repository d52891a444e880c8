import CLibSSH2
import Glibc

extension Session {
    /// Offers a public key, and proves by a signature that its private half is at hand.
    ///
    /// - Parameter sign: makes the signature, or nil for none; called only when the host would accept the key.
    /// - Returns: the answer of libssh2, 0 for success.
    func authenticate(
        as user: String, with key: HostKey, isolation: isolated (any Actor)? = #isolation,
        sign: ([UInt8]) async throws -> [UInt8]?
    ) async throws -> CInt {
        let request = SignatureRequest()
        while true {
            // libssh2 waits for a signature as it waits for the host: by being called again.
            let answer = try await complete {
                var context: UnsafeMutableRawPointer? = Unmanaged.passUnretained(request).toOpaque()
                let answer = libssh2_userauth_publickey($0, user, key.blob, key.blob.count, provide, &context)
                return request.isOpen && answer == LIBSSH2_ERROR_EAGAIN ? wantsSignature : answer
            }
            guard answer == wantsSignature, let data = request.data else { return answer }
            request.state = .answered(try await sign(data))
        }
    }
}

/// What ``Session/complete(isolation:_:)`` must not wait for. No function of libssh2 returns it.
private let wantsSignature: CInt = 1

/// What is to be signed, and the signature once it is there.
///
/// Used on one event loop only.
private final class SignatureRequest {
    enum State {
        case idle
        case asked([UInt8])
        case answered([UInt8]?)
    }

    var state = State.idle

    var data: [UInt8]? {
        if case .asked(let data) = state { data } else { nil }
    }
    var isOpen: Bool { data != nil }
}

/// LIBSSH2_USERAUTH_PUBLICKEY_SIGN_FUNC: hands out the signature that is there, or asks for one.
private let provide:
    @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, UnsafeMutablePointer<Int>?,
        UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> CInt = { _, signature, signatureCount, data, count, context in
        guard let signature, let signatureCount, let pointer = context?.pointee else { return -1 }
        let request = Unmanaged<SignatureRequest>.fromOpaque(pointer).takeUnretainedValue()
        switch request.state {
        case .idle, .asked:
            request.state = .asked(Array(UnsafeBufferPointer(start: data, count: count)))
            return LIBSSH2_ERROR_EAGAIN
        case .answered(let bytes?):
            // libssh2 frees it.
            guard let memory = malloc(bytes.count) else { return -1 }
            bytes.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            signature.pointee = memory.assumingMemoryBound(to: UInt8.self)
            signatureCount.pointee = bytes.count
            return 0
        case .answered(nil): return -1
        }
    }
