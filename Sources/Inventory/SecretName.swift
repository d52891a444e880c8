import Secrets

/// Which variables hold secrets, by their names: an inventory may have them in plain text.
enum SecretName {
    static let masked = JSONText.string(Secret.mask)

    /// - Parameter name: of a variable, or of an option, which may have hyphens.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased().replacing("-", with: "_")
        return ["password", "passwd", "passphrase", "secret", "token", "access_key"].contains(where: name.contains)
            || ["_pass", "_private_key", "api_key", "_s3_key", "_azure_key", "_libsodium_key", "_pgp_key"].contains(
                where: name.hasSuffix)
    }
}
