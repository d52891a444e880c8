import CLibSSH2
import NIOCore
import Secrets

/// Logs in to a session by what there is, in the order of OpenSSH: the keys of the agents, first those of the named files;
/// the key files; the password as answer to the host's questions; the password.
final class Login {
    private let user: String
    private let options: SSHOptions
    private let session: Session
    private let eventLoop: any EventLoop
    private var attempts: [LoginAttempt] = []
    private var trying: LoginAttempt.Subject?

    init(as user: String, options: SSHOptions, to session: Session, on eventLoop: any EventLoop) {
        self.user = user
        self.options = options
        self.session = session
        self.eventLoop = eventLoop
    }

    /// - Throws: `.loginRefused` with what was tried, or why the wire has failed.
    func perform(isolation: isolated (any Actor)? = #isolation) async throws {
        let files = options.keyFiles.map { PrivateKeyFile(reading: $0) }
        do {
            if try await offerAgents(files) { return }
            let held = Set(attempts.compactMap(\.subject.key))
            for file in files where !file.isAmong(held) {
                trying = .file(file)
                if isIn(after: try await offer(file)) { return }
            }
            guard let methods = try await session.loginMethods(of: user) else { return }
            if try await offerPassword(methods) { return }
            throw LoginAttempt.failure(of: attempts, user: user, methods: methods, hasPassword: options.password != nil)
        } catch let error as SSHError where error.code == .connectionLost && !(attempts.isEmpty && trying == nil) {
            // libssh2 takes a farewell for a refusal, and only the next step shows that the host has gone.
            trying = trying ?? attempts.popLast()?.subject
            _ = isIn(after: .connectionClosed)
            throw LoginAttempt.failure(of: attempts, user: user, methods: [], hasPassword: options.password != nil)
        }
    }

    /// Notes down how the attempt with what is being tried has ended.
    ///
    /// - Returns: whether we are in.
    private func isIn(after outcome: LoginAttempt.Outcome) -> Bool {
        if let subject = trying { attempts.append(LoginAttempt(subject: subject, outcome: outcome)) }
        trying = nil
        return outcome == .accepted
    }

    // MARK: Keys

    private func offerAgents(
        _ files: [PrivateKeyFile], isolation: isolated (any Actor)? = #isolation
    ) async throws -> Bool {
        for socket in options.agentSockets {
            guard let agent = try? await Agent.connect(to: socket, on: eventLoop) else { continue }
            // An agent that does not answer must not outlast the time to connect.
            let observer = ObjectIdentifier(self)
            session.wire.observers[observer] = { [wire = session.wire] in if wire.failure != nil { agent.close() } }
            defer {
                session.wire.observers[observer] = nil
                agent.close()
            }
            let keys = (try? await agent.keys()) ?? []
            let named = keys.filter { key in files.contains { $0.isAmong([key.key]) } }
            let others = options.usesOnlyNamedKeys ? [] : keys.filter { !named.contains($0) }
            for key in named + others {
                trying = .agentKey(key)
                if isIn(after: try await offer(key, of: agent)) { return true }
            }
        }
        return false
    }

    private func offer(
        _ key: AgentKey, of agent: Agent, isolation: isolated (any Actor)? = #isolation
    ) async throws -> LoginAttempt.Outcome {
        guard key.isUsable else { return .notOffered }
        var hasSigned = true
        let answer = try await session.authenticate(as: user, with: key.key) { data in
            let signature = (try? await agent.sign(data, with: key.key)) ?? nil
            hasSigned = signature != nil
            return signature
        }
        guard hasSigned else { return .unusable("the agent does not sign with it") }
        return try outcome(of: answer, isRSA: key.key.type == "ssh-rsa")
    }

    private func offer(
        _ file: PrivateKeyFile, isolation: isolated (any Actor)? = #isolation
    ) async throws -> LoginAttempt.Outcome {
        guard case .key(let type) = file.kind else { return .notOffered }
        let answer = try await session.complete {
            libssh2_userauth_publickey_fromfile_ex($0, user, CUnsignedInt(user.utf8.count), nil, file.path, nil)
        }
        return try outcome(of: answer, isRSA: type == "ssh-rsa")
    }

    // MARK: The password

    private func offerPassword(
        _ methods: Set<String>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Bool {
        guard let password = options.password else { return false }
        if methods.contains("keyboard-interactive") {
            trying = .answers
            let (answer, unanswered) = try await session.authenticate(as: user, answeringWith: password)
            let outcome = try outcome(of: answer)
            let question = outcome == .refused ? unanswered : nil
            if isIn(after: question.map { .notUnderstood($0) } ?? outcome) { return true }
        }
        guard methods.contains("password") else { return false }
        trying = .password
        return isIn(after: try outcome(of: try await session.authenticate(as: user, password: password)))
    }

    private func outcome(of answer: CInt, isRSA: Bool = false) throws -> LoginAttempt.Outcome {
        switch answer {
        case 0: return .accepted
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            return isRSA && !Library.signsRSAWithSHA2 ? .refusedOutdatedSignature : .refused
        case LIBSSH2_ERROR_PASSWORD_EXPIRED: return .unusable("it has expired and must be changed on the host")
        case LIBSSH2_ERROR_SOCKET_DISCONNECT, LIBSSH2_ERROR_SOCKET_RECV:
            throw SSHError(.connectionLost, "the host closed the connection")
        default: return .unusable(session.protocolFailure("using it", answer).message)
        }
    }
}
