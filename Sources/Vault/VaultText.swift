public import Diagnostics
import FoundationEssentials

/// A text as ansible-vault writes it, still encrypted: a line like `$ANSIBLE_VAULT;1.2;AES256;LABEL`, then hexadecimal
/// digits.
///
/// Source: ansible-core 2.19, `parse_vaulttext_envelope` and `VaultAES256` in parsing/vault.
public struct VaultText: Hashable, Sendable {
    /// Which password opens it, if its writer has said so: that makes it one of version 1.2.
    public let label: String?
    let salt: [UInt8]
    /// The HMAC-SHA256 of the ciphertext.
    let authenticator: [UInt8]
    let ciphertext: [UInt8]

    private static let mark = "$ANSIBLE_VAULT"

    /// Whether a text begins as one of a vault does.
    public static func isIn(_ text: some StringProtocol) -> Bool { text.utf8.starts(with: mark.utf8) }

    init(label: String?, salt: [UInt8], authenticator: [UInt8], ciphertext: [UInt8]) {
        self.label = label
        self.salt = salt
        self.authenticator = authenticator
        self.ciphertext = ciphertext
    }

    /// Reads a text.
    ///
    /// - Throws: a `Diagnostic` when it is none of a vault, is damaged, or is of a form that is not understood.
    public init(_ text: some StringProtocol, at location: SourceLocation?) throws(Diagnostic) {
        let lines = text.split(whereSeparator: \.isNewline).map { line in String(line.filter { !$0.isWhitespace }) }
        let parts = (lines.first ?? "").split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, parts[0] == Self.mark else {
            throw Diagnostic(
                "this is no text of ansible-vault, which begins with '\(Self.mark);1.1;AES256'", at: location)
        }
        guard ["1.1", "1.2"].contains(parts[1]), parts[2] == "AES256" else {
            throw Diagnostic(
                "a vault of version '\(parts[1])' with the cipher '\(parts[2])' is not understood", at: location,
                remedy: "encrypt it anew by 'ansible-vault rekey': 1.1 and 1.2 with AES256 are understood")
        }
        label = parts.count > 3 && !parts[3].isEmpty ? parts[3] : nil
        let fields = Hexadecimal.bytes(lines.dropFirst().joined().utf8)?
            .split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
            .compactMap { Hexadecimal.bytes($0) }
        guard let fields, fields.count == 3, !fields[0].isEmpty, fields[1].count == 32, !fields[2].isEmpty,
            fields[2].count % 16 == 0
        else {
            throw Diagnostic(
                "the encrypted text is damaged: \(lines.count - 1) lines of hexadecimal digits that do not fit together",
                at: location, remedy: "take it from where it was copied, whole")
        }
        (salt, authenticator, ciphertext) = (fields[0], fields[1], fields[2])
    }
}

extension VaultText: CustomStringConvertible {
    /// The text as ansible-vault writes it, with a newline at its end.
    public var description: String {
        let fields = [salt, authenticator, ciphertext].map(Hexadecimal.text).joined(separator: "\n")
        let digits = Hexadecimal.text(fields.utf8)
        let lines = stride(from: 0, to: digits.utf8.count, by: 80).map { start in
            String(digits.utf8.dropFirst(start).prefix(80)) ?? ""
        }
        let header = label.map { "\(Self.mark);1.2;AES256;\($0)" } ?? "\(Self.mark);1.1;AES256"
        return ([header] + lines).map { $0 + "\n" }.joined()
    }
}

private enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Nil when there is anything but pairs of digits.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue.map(UInt8.init) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
