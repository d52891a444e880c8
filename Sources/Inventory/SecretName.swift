import Secrets

/// Which variables hold secrets, by their names: an inventory may have them in plain text.
enum SecretName {
    static let masked = JSONText.string(Secret.mask)

    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["password", "passwd", "passphrase", "secret", "token"].contains(where: name.contains)
            || ["_pass", "_private_key", "api_key"].contains(where: name.hasSuffix)
    }
}
