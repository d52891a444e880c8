import Crypto
import CryptoExtras
import FoundationEssentials
public import Secrets

extension VaultText {
    /// Encrypts bytes under a password.
    ///
    /// - Parameter label: says which password it is; it must have no ';' and no white space.
    public init(encrypting bytes: [UInt8], with password: Secret, label: String? = nil) throws {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let keys = try Keys(password, salt: salt)
        // PKCS #7: so many bytes as are missing, each of which tells how many; a whole block where none is missing.
        let missing = 16 - bytes.count % 16
        let padded = bytes + [UInt8](repeating: UInt8(missing), count: missing)
        let ciphertext = Array(try AES._CTR.encrypt(padded, using: keys.cipher, nonce: keys.nonce))
        self.init(
            label: label, salt: salt,
            authenticator: Array(HMAC<SHA256>.authenticationCode(for: ciphertext, using: keys.authentication)),
            ciphertext: ciphertext)
    }

    /// The bytes that were encrypted, or nil when it was not under this password, or the text was changed since.
    public func decrypted(with password: Secret) throws -> [UInt8]? {
        let keys = try Keys(password, salt: salt)
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                authenticator, authenticating: ciphertext, using: keys.authentication)
        else { return nil }
        let padded = Array(try AES._CTR.decrypt(ciphertext, using: keys.cipher, nonce: keys.nonce))
        guard let missing = padded.last, (1...16).contains(missing) else { return nil }
        return padded.dropLast(Int(missing))
    }

    /// What a password becomes with the salt of a text.
    ///
    /// Source: ansible-core 2.19, `VaultAES256._create_key_cryptography`.
    private struct Keys {
        let cipher: SymmetricKey
        let authentication: SymmetricKey
        let nonce: AES._CTR.Nonce

        init(_ password: Secret, salt: [UInt8]) throws {
            let bytes = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(password.reveal().utf8), salt: salt, using: .sha256, outputByteCount: 80,
                unsafeUncheckedRounds: 10_000
            ).withUnsafeBytes { Array($0) }
            cipher = SymmetricKey(data: bytes[..<32])
            authentication = SymmetricKey(data: bytes[32..<64])
            nonce = try AES._CTR.Nonce(nonceBytes: bytes[64...])
        }
    }
}
