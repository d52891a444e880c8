import Crypto
import FoundationEssentials

/// One line of a known hosts file: names, a type and a key, perhaps with a marker before them (see sshd(8)).
struct KnownHostsLine: Hashable {
    enum Marker: String {
        /// The key signs host certificates; it is no host's key.
        case certAuthority = "@cert-authority"
        /// The key must never be accepted again.
        case revoked = "@revoked"
    }

    let marker: Marker?
    let names: String
    let keyType: String
    let key: HostKey
    /// `FILE:LINE`
    let place: String

    /// Reads a line; nil for an empty one, a comment, and what makes no sense (OpenSSH passes over it, too).
    init?(_ line: some StringProtocol, place: String) {
        var words = line.split(whereSeparator: \.isWhitespace)[...]
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        if first.hasPrefix("@") {
            guard let marker = Marker(rawValue: String(first)) else { return nil }
            self.marker = marker
            words = words.dropFirst()
        } else {
            marker = nil
        }
        guard words.count >= 3, let key = HostKey(base64: words[words.startIndex + 2]) else { return nil }
        names = String(words[words.startIndex])
        keyType = String(words[words.startIndex + 1])
        self.key = key
        self.place = place
    }

    /// Whether the line is about the host of this name: see ``SSHDestination/knownHostsName``.
    func names(_ name: String) -> Bool {
        if names.hasPrefix("|1|") { return isHash(of: name) }
        var found = false
        for pattern in names.lowercased().split(separator: ",") {
            if pattern.hasPrefix("!") {
                if Wildcard.matches(pattern.dropFirst(), name) { return false }
            } else {
                found = found || Wildcard.matches(pattern, name)
            }
        }
        return found
    }

    /// `|1|salt|hash`: the HMAC-SHA1 of the name under the salt, both in base64.
    private func isHash(of name: String) -> Bool {
        let parts = names.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count == 4, let salt = Data(base64Encoded: String(parts[2])),
            let hash = Data(base64Encoded: String(parts[3]))
        else { return false }
        return HMAC<Insecure.SHA1>.isValidAuthenticationCode(
            hash, authenticating: Array(name.utf8), using: SymmetricKey(data: salt))
    }
}
