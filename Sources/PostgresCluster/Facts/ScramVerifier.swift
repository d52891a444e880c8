import Crypto
import FoundationEssentials
import Secrets

/// What PostgreSQL keeps of a password: enough to check it, not enough to know it (RFC 5802, with SHA-256).
///
/// It is made here, so that no password ever stands in a statement, which a server may log.
struct ScramVerifier {
    private let salt: Data
    private let iterations: Int
    private let storedKey: Data
    private let serverKey: Data

    /// The number of iterations that PostgreSQL 15 uses itself.
    private static let iterations = 4096

    /// The verifier of a password with a new salt.
    init(of password: Secret) {
        var generator = SystemRandomNumberGenerator()
        let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        self.init(of: password, salt: salt, iterations: ScramVerifier.iterations)
    }

    init(of password: Secret, salt: Data, iterations: Int) {
        let salted = SymmetricKey(data: ScramVerifier.stretch(password, salt: salt, iterations: iterations))
        let clientKey = HMAC<SHA256>.authenticationCode(for: Data("Client Key".utf8), using: salted)
        self.salt = salt
        self.iterations = iterations
        storedKey = Data(SHA256.hash(data: Data(clientKey)))
        serverKey = Data(HMAC<SHA256>.authenticationCode(for: Data("Server Key".utf8), using: salted))
    }

    /// Reads `SCRAM-SHA-256$4096:SALT$STOREDKEY:SERVERKEY`, as `pg_authid.rolpassword` has it.
    init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == "$" || $0 == ":" })
        guard parts.count == 5, parts[0] == "SCRAM-SHA-256", let iterations = Int(parts[1]), iterations > 0,
            let salt = Data(base64Encoded: String(parts[2])), let storedKey = Data(base64Encoded: String(parts[3])),
            let serverKey = Data(base64Encoded: String(parts[4]))
        else { return nil }
        self.salt = salt
        self.iterations = iterations
        self.storedKey = storedKey
        self.serverKey = serverKey
    }

    func matches(_ password: Secret) -> Bool {
        let other = ScramVerifier(of: password, salt: salt, iterations: iterations)
        return other.storedKey == storedKey && other.serverKey == serverKey
    }

    var text: Secret {
        let keys = "\(storedKey.base64EncodedString()):\(serverKey.base64EncodedString())"
        return Secret("SCRAM-SHA-256$\(iterations):\(salt.base64EncodedString())$\(keys)")
    }

    /// `Hi` of RFC 5802: PBKDF2 with HMAC-SHA-256 and one block of output.
    private static func stretch(_ password: Secret, salt: Data, iterations: Int) -> Data {
        let key = SymmetricKey(data: Data(password.reveal().utf8))
        var block = Data(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var result = Array(block)
        for _ in 1..<iterations {
            block = Data(HMAC<SHA256>.authenticationCode(for: block, using: key))
            for (index, byte) in block.enumerated() { result[index] ^= byte }
        }
        return Data(result)
    }
}
