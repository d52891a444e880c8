import Crypto
import Foundation

/// The forms in which a secret may be written down: as it is, encoded, or as what it can be recognized by.
enum SecretForms {
    static func of(_ secrets: [String]) -> [String] {
        secrets.flatMap(of) + verifiers
    }

    /// The forms of secrets that a text has.
    static func found(of secrets: [String], in text: String) -> [String] {
        let text = text.replacing("\\/", with: "/")
        return of(secrets).filter { text.contains($0) }
    }

    static func of(_ secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        let digest = SHA256.hash(data: bytes)
        let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        return [secret, escaped, hexadecimal(bytes), hexadecimal(bytes).uppercased()]
            + (0..<3).compactMap { base64(bytes, after: $0) }
            + [hexadecimal(digest), Data(digest).base64EncodedString()]
            + [hexadecimal(Insecure.SHA1.hash(data: bytes)), hexadecimal(Insecure.MD5.hash(data: bytes))]
    }

    /// What every verifier of PostgreSQL begins with: its keys let a server be played, and a password be guessed.
    private static let verifiers = ["SCRAM-SHA-256$4096:"]

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    /// What base64 makes of the bytes behind `count` others, but for the characters that depend on what is around them; nil
    /// when too little is left to be recognized.
    private static func base64(_ bytes: [UInt8], after count: Int) -> String? {
        let text = Data(Array(repeating: 0, count: count) + bytes).base64EncodedString()
        let begin = (count * 8 + 5) / 6
        let end = (count + bytes.count) * 8 / 6
        return end - begin < 8 ? nil : String(text.dropFirst(begin).prefix(end - begin))
    }
}
