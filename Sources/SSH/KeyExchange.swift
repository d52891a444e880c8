import CLibSSH2

extension Session {
    /// Agrees on keys with the host. Nothing is trusted after it: the ``hostKey`` is still to be checked.
    ///
    /// - Parameter known: the types of the host's known keys. They are asked for first, as a host that is known by
    ///   one key may well have others.
    func exchangeKeys(preferring known: Set<String>, isolation: isolated (any Actor)? = #isolation) async throws {
        let names = algorithms(LIBSSH2_METHOD_HOSTKEY)
        let isKnown = { known.contains(HostKey.type(ofAlgorithm: $0)) }
        let preferences = (names.filter(isKnown) + names.filter { !isKnown($0) }).joined(separator: ",")
        libssh2_session_method_pref(handle, LIBSSH2_METHOD_HOSTKEY, preferences)
        // The number is no descriptor, and libssh2 does not use it: all bytes go through the callbacks.
        let answer = try await complete { libssh2_session_handshake($0, CInt.max) }
        switch answer {
        case 0: return
        case LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE: throw noCommonAlgorithm
        default: throw protocolFailure("the key exchange", answer)
        }
    }

    /// The key that the host has proved to have.
    var hostKey: HostKey? {
        var count = 0
        guard let blob = libssh2_session_hostkey(handle, &count, nil) else { return nil }
        return HostKey(blob: Array(UnsafeRawBufferPointer(start: blob, count: count)))
    }

    private var noCommonAlgorithm: SSHError {
        let lists = [
            ("KexAlgorithms", LIBSSH2_METHOD_KEX), ("HostKeyAlgorithms", LIBSSH2_METHOD_HOSTKEY),
            ("Ciphers", LIBSSH2_METHOD_CRYPT_CS), ("MACs", LIBSSH2_METHOD_MAC_CS),
        ].map { "\($0) \(algorithms($1).joined(separator: ","))" }
        return SSHError(
            .protocolFailure, "the host and libssh2 \(Library.version) have no algorithm in common",
            remedy: "let sshd allow one of each of these: \(lists.joined(separator: "; "))")
    }

    private func algorithms(_ method: CInt) -> [String] {
        var list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        let count = libssh2_session_supported_algs(handle, method, &list)
        guard count > 0, let list else { return [] }
        defer { libssh2_free(handle, list) }
        return (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } }
    }
}
