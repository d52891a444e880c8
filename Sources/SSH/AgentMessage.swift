/// What is said to an ssh-agent and what it answers, without the length before each message.
///
/// Source: draft-ietf-sshm-ssh-agent, sections 3 and 5.
enum AgentMessage {
    /// No agent sends more: OpenSSH's AGENT_MAX_LEN.
    static let longest = 256 * 1024
    /// SSH_AGENTC_REQUEST_IDENTITIES
    static let requestIdentities: [UInt8] = [11]

    /// SSH_AGENTC_SIGN_REQUEST
    static func sign(_ data: [UInt8], with key: HostKey, flags: UInt32) -> [UInt8] {
        var writer = SSHWireWriter()
        writer.write(byte: 13)
        writer.write(string: key.blob)
        writer.write(string: data)
        writer.write(number: flags)
        return writer.bytes
    }

    /// The keys in SSH_AGENT_IDENTITIES_ANSWER; nil for any other answer.
    static func identities(in answer: [UInt8]) -> [AgentKey]? {
        var reader = SSHWireReader(answer[...])
        guard reader.byte() == 12, let count = reader.number() else { return nil }
        var keys: [AgentKey] = []
        for _ in 0..<count {
            guard let blob = reader.string(), let comment = reader.string() else { return nil }
            keys.append(AgentKey(key: HostKey(blob: Array(blob)), comment: String(decoding: comment, as: UTF8.self)))
        }
        return keys
    }

    /// The signature in SSH_AGENT_SIGN_RESPONSE, without the name of its algorithm, which libssh2 writes itself; nil when
    /// the agent does not sign.
    static func signature(in answer: [UInt8]) -> [UInt8]? {
        var reader = SSHWireReader(answer[...])
        guard reader.byte() == 14, let signature = reader.string() else { return nil }
        var parts = SSHWireReader(signature)
        guard parts.string() != nil, let blob = parts.string() else { return nil }
        return Array(blob)
    }

    /// What to ask for so that the signature is of the algorithm that the data to be signed names (RFC 4252, section 7).
    static func flags(for data: [UInt8]) -> UInt32 {
        var reader = SSHWireReader(data[...])
        // The session's identifier, the type of message, the user, the service, the method, TRUE, the algorithm.
        guard reader.string() != nil, reader.byte() != nil, reader.string() != nil, reader.string() != nil,
            reader.string() != nil, reader.byte() != nil, let algorithm = reader.string()
        else { return 0 }
        return switch String(decoding: algorithm, as: UTF8.self) {
        case "rsa-sha2-256": 2
        case "rsa-sha2-512": 4
        default: 0
        }
    }
}

/// A key that an agent holds.
struct AgentKey: Hashable {
    let key: HostKey
    /// What its owner calls it, mostly the path of its file.
    let comment: String

    /// Whether libssh2 can log in with a signature of the agent: those of certificates and of security keys have another
    /// form than it expects.
    var isUsable: Bool { !key.type.contains("-cert-") && !key.type.hasPrefix("sk-") }
}
