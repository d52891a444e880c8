public import Secrets

/// As whom a shell runs, when not as the user of the login: by sudo.
public struct Become: Hashable, Sendable {
    public var user: String
    /// What sudo may ask for. It is sent only when it does.
    public var password: Secret?

    public init(user: String = "root", password: Secret? = nil) {
        self.user = user
        self.password = password
    }

    /// What says that sudo asks for the password.
    static func prompt(_ id: RequestID) -> String { "drover-password-\(id):" }
    /// What says that the shell reads what comes next, not sudo.
    static func ready(_ id: RequestID) -> String { "drover-ready-\(id)" }

    /// The command that starts the shell. Without a password it begins to read at once.
    ///
    /// The shell is named by its path, so that sudoers can allow just it.
    func command(_ id: RequestID) -> String {
        let sudo = "exec env LC_ALL=C sudo -H -u \(user.shellQuoted)"
        guard password != nil else { return "\(sudo) -n -- /bin/sh" }
        return "\(sudo) -S -p \(Self.prompt(id)) -- /bin/sh -c 'echo \(Self.ready(id)); exec /bin/sh'"
    }

    /// Gives sudo the password when it asks, and returns when the shell is there.
    ///
    /// - Throws: `.becomeRefused` with the reason.
    func authenticate(
        on channel: any ShellChannel, _ id: RequestID, login: String, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        guard let password else { return }
        var dialogue = SudoDialogue(prompt: Self.prompt(id), ready: Self.ready(id))
        while true {
            for stream in ShellStream.allCases { dialogue.heard(try channel.readAll(stream), on: stream) }
            switch dialogue.next {
            case .answer:
                try await channel.send(password.reveal() + "\n")
                dialogue.hasAnswered = true
            case .done: return
            case .refused: throw refusal(of: dialogue.words, wasWrong: true, login: login)
            case .wait:
                if let failure = channel.wire.failure { throw failure }
                guard !channel.isAtEnd else { throw refusal(of: dialogue.words, wasWrong: false, login: login) }
                await channel.wire.activity()
            }
        }
    }
}

/// What was heard of sudo so far, and what is to be done about it.
struct SudoDialogue {
    enum Next: Hashable {
        case wait
        /// The password is asked for.
        case answer
        /// The password is asked for again: it was wrong.
        case refused
        case done
    }

    let prompt: String
    let ready: String
    var hasAnswered = false
    private var output = ""
    private var error = ""

    init(prompt: String, ready: String) {
        self.prompt = prompt
        self.ready = ready
    }

    mutating func heard(_ bytes: [UInt8], on stream: ShellStream) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch stream {
        case .output: output += text
        case .error: error += text
        }
    }

    var next: Next {
        if output.contains(ready) { return .done }
        switch error.ranges(of: prompt).count {
        case 0: return .wait
        case 1: return hasAnswered ? .wait : .answer
        default: return .refused
        }
    }

    /// What sudo said apart from its question.
    var words: String { error.replacing(prompt, with: "") }
}
