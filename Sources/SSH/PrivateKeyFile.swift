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
    /// The public half, where the file says it in the clear or its `.pub` stands beside it.
    let publicKey: HostKey?

    init(name: String, kind: Kind, publicKey: HostKey? = nil) {
        self.name = name
        self.kind = kind
        self.publicKey = publicKey
    }

    init(reading name: String) {
        let path = SSHOptions.expandingHome(name)
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        let kind: Kind =
            if let text {
                Self.kind(ofText: text)
            } else {
                FileManager.default.fileExists(atPath: path) ? .unreadable : .missing
            }
        let publicKey = text.flatMap(Armor.init).flatMap(OpenSSHKey.init)?.publicKey ?? Self.publicKey(beside: path)
        self.init(name: name, kind: kind, publicKey: publicKey)
    }

    var path: String { SSHOptions.expandingHome(name) }

    /// Whether its public half is one of these.
    func isAmong(_ keys: Set<HostKey>) -> Bool { publicKey.map(keys.contains) ?? false }

    private static func publicKey(beside path: String) -> HostKey? {
        guard let data = FileManager.default.contents(atPath: path + ".pub") else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return words.count >= 2 ? HostKey(base64: words[1]) : nil
    }

    static func kind(ofText text: String) -> Kind {
        guard let armor = Armor(text) else { return .notAKey }
        switch armor.begin {
        case OpenSSHKey.begin:
            guard let key = OpenSSHKey(armor) else { return .notAKey }
            return key.isEncrypted ? .encrypted : .key(type: key.publicKey.type)
        case "-----BEGIN ENCRYPTED PRIVATE KEY-----": return .encrypted
        case _ where armor.body.contains { $0.hasPrefix("Proc-Type:") && $0.contains("ENCRYPTED") }: return .encrypted
        case "-----BEGIN RSA PRIVATE KEY-----": return .key(type: "ssh-rsa")
        default: return .key(type: nil)
        }
    }
}

/// The lines of a private key in a file, from BEGIN to END.
private struct Armor {
    let begin: String
    let body: ArraySlice<String>

    init?(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimming(while: \.isWhitespace) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") })
        else { return nil }
        begin = lines[start]
        body = lines[(start + 1)...].prefix { !$0.hasPrefix("-----END ") }
    }
}

/// What OpenSSH's format of private keys says in the clear.
private struct OpenSSHKey {
    static let begin = "-----BEGIN OPENSSH PRIVATE KEY-----"

    let isEncrypted: Bool
    let publicKey: HostKey

    /// The format of OpenSSH's PROTOCOL.key: a magic, the cipher, the key derivation and its options, the number of
    /// keys, the public key.
    init?(_ armor: Armor) {
        let magic = Array("openssh-key-v1\0".utf8)
        guard armor.begin == Self.begin, let data = Data(base64Encoded: armor.body.joined()), data.starts(with: magic)
        else { return nil }
        var reader = SSHWireReader(Array(data)[magic.count...])
        guard let cipher = reader.string(), reader.string() != nil, reader.string() != nil, reader.number() == 1,
            let key = reader.string()
        else { return nil }
        isEncrypted = !cipher.elementsEqual("none".utf8)
        publicKey = HostKey(blob: Array(key))
    }
}

extension Substring {
    fileprivate func trimming(while condition: (Character) -> Bool) -> String {
        var text = drop(while: condition)
        while let last = text.last, condition(last) { text.removeLast() }
        return String(text)
    }
}
