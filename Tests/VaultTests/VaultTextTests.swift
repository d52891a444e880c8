import Diagnostics
import FoundationEssentials
import Secrets
import Testing

@testable import Vault

/// The fixtures were made by ansible-vault of ansible-core 2.19.14 with files that hold the passwords:
/// `ansible-vault encrypt --vault-password-file pw FILE`, and `--vault-id prod@pw2` for that of version 1.2.
@Suite("Texts of ansible-vault")
struct VaultTextTests {
    private static func fixture(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures"
        return String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name).txt")), as: UTF8.self)
    }

    private static let written: [(name: String, password: String, label: String?, expected: String)] = [
        ("version-1.1", "the password", nil, "db_password: s3cret ünïcode\n"),
        ("version-1.2", "other", "prod", "x"),
        ("empty", "the password", nil, ""),
        ("block", "the password", nil, "aaaaaaaaaaaaaaaa"),
    ]

    @Test("that ansible-vault wrote are read", arguments: written.indices)
    func reads(index: Int) throws {
        let (name, password, label, expected) = Self.written[index]
        let text = try VaultText(try Self.fixture(name), at: nil)
        #expect(text.label == label)
        let bytes = try #require(try text.decrypted(with: Secret(password)))
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
        #expect(try text.decrypted(with: Secret("wrong")) == nil)
    }

    @Test("are written in the form in which they are read", arguments: written.indices)
    func writes(index: Int) throws {
        let (name, password, label, expected) = Self.written[index]
        let text = try VaultText(encrypting: Array(expected.utf8), with: Secret(password), label: label)
        #expect(try VaultText(text.description, at: nil) == text)
        #expect(try text.decrypted(with: Secret(password)) == Array(expected.utf8))
        let original = try Self.fixture(name)
        #expect(try VaultText(original, at: nil).description == original)
        #expect(text.description.utf8.count == original.utf8.count)
        #expect(!text.description.contains(expected) || expected.count < 2)
        // Another salt each time.
        #expect(try VaultText(encrypting: Array(expected.utf8), with: Secret(password), label: label) != text)
    }

    private static let damages: [(change: @Sendable (String) -> String, expected: String)] = [
        ({ String($0.dropFirst()) }, "this is no text of ansible-vault, which begins with '$ANSIBLE_VAULT;1.1;AES256'"),
        (
            { $0.replacing(";1.1;", with: ";1.0;") },
            "a vault of version '1.0' with the cipher 'AES256' is not understood; "
                + "encrypt it anew by 'ansible-vault rekey': 1.1 and 1.2 with AES256 are understood"
        ),
        (
            { $0.replacing("AES256", with: "AES") },
            "a vault of version '1.1' with the cipher 'AES' is not understood; "
                + "encrypt it anew by 'ansible-vault rekey': 1.1 and 1.2 with AES256 are understood"
        ),
        ({ String($0.dropLast(2)) }, "damaged"),
        ({ String($0.dropLast(40)) }, "damaged"),
        ({ $0.replacing("\n3", with: "\nx") }, "damaged"),
        ({ _ in "$ANSIBLE_VAULT;1.1;AES256" }, "damaged"),
    ]

    @Test("that are damaged are refused", arguments: damages.indices)
    func refuses(index: Int) throws {
        let (change, expected) = Self.damages[index]
        let text = change(try Self.fixture("version-1.1"))
        let error = try #require(throws: Diagnostic.self) { try VaultText(text, at: nil) }
        #expect(error.description == expected || error.message.contains(expected), "\(error)")
    }

    @Test("of which a byte was changed are not decrypted")
    func authenticates() throws {
        let text = try VaultText(try Self.fixture("version-1.1"), at: nil)
        var ciphertext = text.ciphertext
        ciphertext[0] ^= 1
        let changed = VaultText(
            label: nil, salt: text.salt, authenticator: text.authenticator, ciphertext: ciphertext)
        #expect(try changed.decrypted(with: Secret("the password")) == nil)
    }

    @Test("may be indented, and have any ends of lines")
    func layout() throws {
        let text = try Self.fixture("version-1.1")
        #expect(try VaultText(text.replacing("\n", with: "\r\n  "), at: nil) == VaultText(text, at: nil))
    }

    @Test("are opened by the password with their label first, then by any")
    func passwords() throws {
        let text = try VaultText(try Self.fixture("version-1.2"), at: nil)
        let place = SourceLocation(file: "f", line: 1, column: 1)
        func open(_ passwords: [VaultPasswords.Password]) throws -> String? {
            try VaultPasswords(passwords).open(text, "the file", at: place).password.label
        }
        #expect(try open([.init(label: "dev", Secret("wrong")), .init(label: "prod", Secret("other"))]) == "prod")
        #expect(try open([.init(label: "dev", Secret("wrong")), .init(Secret("other"))]) == nil)
        #expect(try open([.init(label: "prod", Secret("wrong")), .init(label: "dev", Secret("other"))]) == "dev")
        let wrong = try #require(throws: Diagnostic.self) { try open([.init(Secret("wrong"))]) }
        #expect(
            wrong.description == "f:1:1: the file is encrypted under another password, which is called 'prod', "
                + "or damaged; check what --vault-password-file, --vault-id or --ask-vault-pass gave")
        let none = try #require(throws: Diagnostic.self) { try open([]) }
        #expect(
            none.description == "f:1:1: the file is encrypted by ansible-vault, and there is no password for it; "
                + "give it by '--vault-id prod@FILE' or '--vault-id prod@prompt'")
    }
}
