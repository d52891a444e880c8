/// What ssh_config says of many hosts, asked once for each.
public actor ClientConfigurations {
    private struct Question: Hashable {
        let name: String
        let user: String?
        let port: Int?
    }

    private var answers: [Question: Task<ClientConfiguration, any Error>] = [:]

    public init() {}

    /// What ssh_config says of a host; nothing when no file says anything that matters here.
    ///
    /// - Throws: ``SSHError`` when ssh does not understand its files.
    public func configuration(of name: String, user: String?, port: Int?) async throws -> ClientConfiguration {
        guard ClientConfiguration.isOfUse else { return ClientConfiguration() }
        let question = Question(name: name, user: user, port: port)
        if let answer = answers[question] { return try await answer.value }
        let answer = Task { try await ClientConfiguration.read(for: name, user: user, port: port) }
        answers[question] = answer
        return try await answer.value
    }
}
