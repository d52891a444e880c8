import Crypto
import FoundationEssentials
import Testing

@testable import SSH

@Suite("Revoked keys")
struct RevokedKeysTests {
    private static let key = "AAAAC3NzaC1lZDI1NTE5AAAAIEH7g87P+mD8JgZ7lLv8eRFhl9Oa47U1SDf3tbNHTUfM"
    private static let other = "AAAAC3NzaC1lZDI1NTE5AAAAIJIAJIWe+4soEG7625VuGB2caoZkPjsbqopXpNdbD2Dr"

    private static func string(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        return (0..<4).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    /// A list without a comment, with sections of these kinds.
    private static func list(_ sections: [(UInt8, [UInt8])]) -> [UInt8] {
        Array("SSHKRL\n\0".utf8) + [0, 0, 0, 1] + Array(repeating: 0, count: 24 + 8)
            + sections.flatMap { [$0.0] + string($0.1) }
    }

    @Test("are known by the key and by its digests")
    func sections() throws {
        let (key, other) = (try #require(HostKey(base64: Self.key)), try #require(HostKey(base64: Self.other)))
        for section in [
            (2, Self.string(key.blob)), (3, Self.string(Insecure.SHA1.hash(data: key.blob))),
            (5, Self.string(SHA256.hash(data: key.blob))),
        ] as [(UInt8, [UInt8])] {
            let keys = try #require(RevokedKeys(Self.list([(1, []), (255, [7]), section])))
            #expect(keys.contain(key))
            #expect(!keys.contain(other))
        }
    }

    @Test("a file that is cut off or holds anything else is not believed")
    func damaged() throws {
        let whole = Self.list([(2, Self.string([1, 2, 3]))])
        for count in 8..<whole.count where count != whole.count - 12 {
            #expect(RevokedKeys(Array(whole.prefix(count))) == nil, "\(count)")
        }
        #expect(RevokedKeys(Array("ssh-ed25519 \(Self.key)\nnonsense\n".utf8)) == nil)
        #expect(RevokedKeys(Array("ssh-rsa \(Self.key)\n".utf8)) == nil)
        let keys = try #require(RevokedKeys(Array("\n# c\nssh-ed25519 \(Self.key) me@here\n".utf8)))
        #expect(keys.contain(try #require(HostKey(base64: Self.key))))
    }
}
