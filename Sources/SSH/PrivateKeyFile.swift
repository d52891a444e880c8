import FoundationEssentials

/// What can be told of a private key file without using it. libssh2 has one error for all that may be wrong with it.
struct PrivateKeyFile: Hashable {
    enum Kind: Hashable {
        case missing
        case unreadable
        case notAKey
        case encrypted
        /// A key, of this type if the file says it in the clear: `ssh-ed25519`.
        case key(type: String?)
    }

    /// The path as the person wrote it.
    let name: String
    let kind: Kind

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    init(reading name: String) {
        let path = SSHOptions.expandingHome(name)
        let kind: Kind =
            if !FileManager.default.fileExists(atPath: path) {
                .missing
            } else if let data = FileManager.default.contents(atPath: path) {
                Self.kind(ofText: String(decoding: data, as: UTF8.self))
            } else {
                .unreadable
            }
        self.init(name: name, kind: kind)
    }

    var path: String { SSHOptions.expandingHome(name) }

    var isRSA: Bool { kind == .key(type: "ssh-rsa") }

    static func kind(ofText text: String) -> Kind {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimming(while: \.isWhitespace) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") })
        else { return .notAKey }
        let body = lines[(start + 1)...].prefix { !$0.hasPrefix("-----END ") }
        switch lines[start] {
        case "-----BEGIN OPENSSH PRIVATE KEY-----": return kind(ofOpenSSH: body.joined())
        case "-----BEGIN ENCRYPTED PRIVATE KEY-----": return .encrypted
        case _ where body.contains { $0.hasPrefix("Proc-Type:") && $0.contains("ENCRYPTED") }: return .encrypted
        case "-----BEGIN RSA PRIVATE KEY-----": return .key(type: "ssh-rsa")
        default: return .key(type: nil)
        }
    }

    /// The format of OpenSSH's PROTOCOL.key: a magic, the cipher, the key derivation and its options, the number of
    /// keys, the public key.
    private static func kind(ofOpenSSH base64: String) -> Kind {
        let magic = Array("openssh-key-v1\0".utf8)
        guard let data = Data(base64Encoded: base64), data.starts(with: magic) else { return .notAKey }
        var reader = SSHWireReader(Array(data)[magic.count...])
        guard let cipher = reader.string(), reader.string() != nil, reader.string() != nil, reader.number() == 1,
            let key = reader.string()
        else { return .notAKey }
        return cipher.elementsEqual("none".utf8) ? .key(type: HostKey(blob: Array(key)).type) : .encrypted
    }
}

extension Substring {
    fileprivate func trimming(while condition: (Character) -> Bool) -> String {
        var text = drop(while: condition)
        while let last = text.last, condition(last) { text.removeLast() }
        return String(text)
    }
}
