import CLibSSH2

/// Logs in to a session by the methods that there are, in order. So far: key files.
struct Login {
    let user: String
    let keyFiles: [String]

    /// - Throws: `.loginRefused` with what was tried, or why the wire has failed.
    func perform(on session: Session, isolation: isolated (any Actor)? = #isolation) async throws {
        var attempts: [LoginAttempt] = []
        for name in keyFiles {
            let file = PrivateKeyFile(reading: name)
            do {
                let outcome = try await offer(file, to: session)
                if outcome == .accepted { return }
                attempts.append(LoginAttempt(file: file, outcome: outcome))
            } catch let error as SSHError where error.code == .connectionLost {
                attempts.append(LoginAttempt(file: file, outcome: .connectionClosed))
                break
            }
        }
        throw LoginAttempt.failure(of: attempts, user: user)
    }

    private func offer(
        _ file: PrivateKeyFile, to session: Session, isolation: isolated (any Actor)? = #isolation
    ) async throws -> LoginAttempt.Outcome {
        guard case .key = file.kind else { return .notOffered }
        let answer = try await session.complete {
            libssh2_userauth_publickey_fromfile_ex($0, user, CUnsignedInt(user.utf8.count), nil, file.path, nil)
        }
        switch answer {
        case 0: return .accepted
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            return file.isRSA && !Library.signsRSAWithSHA2 ? .refusedOutdatedSignature : .refused
        case LIBSSH2_ERROR_SOCKET_DISCONNECT, LIBSSH2_ERROR_SOCKET_RECV: return .connectionClosed
        default: return .unusable(session.protocolFailure("using it", answer).message)
        }
    }
}
