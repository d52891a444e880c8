import Crypto
import FoundationEssentials

/// The keys that `RevokedHostKeys` of ssh_config(5) names a file of: public keys, one a line, or a key revocation list.
///
/// Source: OpenSSH 9.2, PROTOCOL.krl. Certificates and signatures in a list are passed over: libssh2 knows no certificates,
/// and `ssh` does not check signatures either.
struct RevokedKeys {
    private var blobs: Set<[UInt8]> = []
    private var digests: Set<[UInt8]> = []

    /// Reads the file.
    ///
    /// - Throws: ``SSHError`` when it cannot be read, or understood: then no host is trusted, as with `ssh`.
    init(file: String) throws(SSHError) {
        guard let data = FileManager.default.contents(atPath: SSHOptions.expandingHome(file)) else {
            throw SSHError(
                .hostKeyRevoked,
                "the file \(file) of RevokedHostKeys in ssh_config cannot be read, so no host is trusted",
                remedy: "check its path and permissions")
        }
        guard let keys = RevokedKeys(Array(data)) else {
            throw SSHError(
                .hostKeyRevoked, "the file \(file) of RevokedHostKeys in ssh_config is damaged, so no host is trusted",
                remedy: "list its keys by 'ssh-keygen -Q -l -f \(file)', and make it anew")
        }
        self = keys
    }

    /// - Parameter content: that of the file; nil is returned when it makes no sense.
    init?(_ content: [UInt8]) {
        if content.starts(with: Self.magic) {
            guard read(list: content[Self.magic.count...]) else { return nil }
        } else {
            for line in content.split(separator: UInt8(ascii: "\n")) {
                let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
                guard let first = words.first, !first.hasPrefix("#") else { continue }
                guard words.count >= 2, let key = HostKey(base64: words[1]), key.type == first else { return nil }
                blobs.insert(key.blob)
            }
        }
    }

    func contain(_ key: HostKey) -> Bool {
        blobs.contains(key.blob) || digests.contains(Array(SHA256.hash(data: key.blob)))
            || digests.contains(Array(Insecure.SHA1.hash(data: key.blob)))
    }

    private static let magic = Array("SSHKRL\n\0".utf8)

    /// The kinds of sections that name keys.
    private enum Section: UInt8 {
        case keys = 2
        case sha1 = 3
        case sha256 = 5
    }

    /// - Returns: whether the list is whole.
    private mutating func read(list bytes: ArraySlice<UInt8>) -> Bool {
        var reader = SSHWireReader(bytes)
        // The version of the list, its date and its flags have 64 bits each.
        guard reader.number() == 1 else { return false }
        for _ in 0..<6 where reader.number() == nil { return false }
        guard reader.string() != nil, reader.string() != nil else { return false }
        while let kind = reader.byte() {
            guard let content = reader.string() else { return false }
            guard let section = Section(rawValue: kind) else { continue }
            var names = SSHWireReader(content)
            while !names.isAtEnd {
                guard let name = names.string() else { return false }
                switch section {
                case .keys: blobs.insert(Array(name))
                case .sha1, .sha256: digests.insert(Array(name))
                }
            }
        }
        return true
    }
}
