import CLibSSH2

extension Session {
    /// Agrees on keys with the host. Nothing is trusted after it: the ``hostKey`` is still to be checked.
    ///
    /// - Parameter known: the types of the host's known keys. They are asked for first, as a host that is known by
    ///   one key may well have others.
    func exchangeKeys(preferring known: Set<String>, isolation: isolated (any Actor)? = #isolation) async throws {
        let names = algorithms(for: .hostKey)
        let isKnown = { known.contains(HostKey.type(ofAlgorithm: $0)) }
        prefer(names.filter(isKnown) + names.filter { !isKnown($0) }, LIBSSH2_METHOD_HOSTKEY)
        prefer(algorithms(for: .keyExchange), LIBSSH2_METHOD_KEX)
        for direction in [LIBSSH2_METHOD_CRYPT_CS, LIBSSH2_METHOD_CRYPT_SC] {
            prefer(algorithms(for: .cipher), direction)
        }
        for direction in [LIBSSH2_METHOD_MAC_CS, LIBSSH2_METHOD_MAC_SC] {
            prefer(algorithms(for: .authentication), direction)
        }
        // The number is no descriptor, and libssh2 does not use it: all bytes go through the callbacks.
        let answer: CInt
        do {
            answer = try await complete { libssh2_session_handshake($0, CInt.max) }
        } catch let error as SSHError where error.code == .connectionLost && discord != nil {
            // The host has come to the same conclusion, and was quicker to hang up.
            throw noCommonAlgorithm
        }
        switch answer {
        case 0: wire.forgetBeginning()
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

    /// For what the host has nothing in common with us, as far as its offer has arrived.
    private var discord: String? {
        AlgorithmOffer(in: wire.beginning)?.discord { algorithms(for: $0) }
    }

    private var noCommonAlgorithm: SSHError {
        let setting = AlgorithmOffer.Purpose.allCases.map(\.setting).joined(separator: ", ")
        return SSHError(
            .unreachable,
            "the host and libssh2 \(Library.version) have no algorithm in common" + (discord.map { ": \($0)" } ?? ""),
            remedy: "let sshd there allow one of those here (\(setting) in sshd_config)")
    }

    private func prefer(_ names: [String], _ method: CInt) {
        libssh2_session_method_pref(handle, method, names.joined(separator: ","))
    }

    /// What is offered to the host.
    private func algorithms(for purpose: AlgorithmOffer.Purpose) -> [String] {
        let method =
            switch purpose {
            case .keyExchange: LIBSSH2_METHOD_KEX
            case .hostKey: LIBSSH2_METHOD_HOSTKEY
            case .cipher: LIBSSH2_METHOD_CRYPT_SC
            case .authentication: LIBSSH2_METHOD_MAC_SC
            }
        var list: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        let count = libssh2_session_supported_algs(handle, method, &list)
        guard count > 0, let list else { return [] }
        defer { libssh2_free(handle, list) }
        return purpose.modern(of: (0..<Int(count)).compactMap { list[$0].map { String(cString: $0) } })
    }
}
