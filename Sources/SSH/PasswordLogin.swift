import CLibSSH2
import Glibc
import Secrets

extension Session {
    /// The methods by which the host lets a user in, or nil when it has let him in by none at all.
    func loginMethods(of user: String, isolation: isolated (any Actor)? = #isolation) async throws -> Set<String>? {
        var names: String?
        let answer = try await complete { handle in
            names = libssh2_userauth_list(handle, user, CUnsignedInt(user.utf8.count)).map { String(cString: $0) }
            if names != nil || libssh2_userauth_authenticated(handle) == 1 { return 0 }
            return libssh2_session_last_errno(handle)
        }
        guard answer == 0 else { throw SSHError(.connectionLost, "the host closed the connection") }
        return names.map { Set($0.split(separator: ",").map(String.init)) }
    }

    /// - Returns: the answer of libssh2, 0 for success.
    func authenticate(
        as user: String, password: Secret, isolation: isolated (any Actor)? = #isolation
    ) async throws -> CInt {
        let password = password.reveal()
        return try await complete {
            libssh2_userauth_password_ex(
                $0, user, CUnsignedInt(user.utf8.count), password, CUnsignedInt(password.utf8.count), nil)
        }
    }

    /// Answers the questions of the host, as long as they are for the password.
    ///
    /// - Returns: the answer of libssh2, 0 for success, and the question that could not be answered, if there was one.
    func authenticate(
        as user: String, answeringWith password: Secret, isolation: isolated (any Actor)? = #isolation
    ) async throws -> (answer: CInt, unanswered: String?) {
        callbacks.questions = PasswordQuestions(password: password)
        defer { callbacks.questions = nil }
        let answer = try await complete {
            libssh2_userauth_keyboard_interactive_ex($0, user, CUnsignedInt(user.utf8.count), respond)
        }
        return (answer, callbacks.questions?.unanswered)
    }
}

/// Answers a host that asks in its own words.
struct PasswordQuestions {
    let password: Secret
    /// The first question that was for something else.
    private(set) var unanswered: String?
    private var hasAnswered = false

    init(password: Secret) {
        self.password = password
    }

    /// A password that was asked for a second time was wrong: it is not sent again.
    mutating func answer(_ question: String) -> String {
        guard question.lowercased().contains("password"), !hasAnswered else {
            if !hasAnswered { unanswered = unanswered ?? question }
            return ""
        }
        hasAnswered = true
        return password.reveal()
    }
}

/// LIBSSH2_USERAUTH_KBDINT_RESPONSE_FUNC: libssh2 frees the answers.
private let respond:
    @convention(c) (
        UnsafePointer<CChar>?, CInt, UnsafePointer<CChar>?, CInt, CInt,
        UnsafePointer<LIBSSH2_USERAUTH_KBDINT_PROMPT>?, UnsafeMutablePointer<LIBSSH2_USERAUTH_KBDINT_RESPONSE>?,
        UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Void = { _, _, _, _, count, prompts, responses, context in
        guard let prompts, let responses, let pointer = context?.pointee else { return }
        let callbacks = Unmanaged<SessionCallbacks>.fromOpaque(pointer).takeUnretainedValue()
        for index in 0..<Int(count) {
            let prompt = prompts[index]
            let question = prompt.text.map {
                String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(prompt.length)), as: UTF8.self)
            }
            let answer = callbacks.questions?.answer(question ?? "") ?? ""
            responses[index].text = strdup(answer)
            responses[index].length = CUnsignedInt(answer.utf8.count)
        }
    }
