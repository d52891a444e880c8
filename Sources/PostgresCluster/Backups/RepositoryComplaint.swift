import Engine

/// Why pgBackRest cannot tell what its repository has: `[HostConnectError] unable to connect to 'store:443'`.
///
/// What a store answers stands on many lines, request and answer with all headers; its own word on it, in XML, is at the
/// end (`ErrorResponse` of Amazon's REST API of S3).
struct RepositoryComplaint: Hashable {
    /// The name that pgBackRest gives the error.
    let kind: String
    /// What it says, in one line.
    let text: String
    /// What to do about it.
    let remedy: String

    init(_ message: String, stanza: String) {
        let parts = message.wholeMatch(of: /\[(?<kind>[A-Za-z]+)\] (?<rest>[^\u{0}]*)/)?.output
        let rest = parts?.rest ?? message[...]
        let code = Self.element("Code", in: rest)
        let said = [code, Self.element("Message", in: rest)].compactMap(\.self).joined(separator: ", ")
        let line = rest.prefix { !$0.isNewline }
        kind = parts.map { String($0.kind) } ?? ""
        text = (line.hasSuffix(":") ? line.dropLast() : line) + (said.isEmpty ? "" : ": " + said)
        remedy =
            Self.remedy(for: kind, text, code: code) ?? "say `pgbackrest --stanza=\(stanza) info` there to learn more"
    }

    /// The name of the store, when nobody knows its address.
    var unknownName: Substring? { text.firstMatch(of: /unable to get address for '([^']+)'/)?.output.1 }

    private static func element(_ name: String, in text: Substring) -> String? {
        guard let start = text.firstRange(of: "<\(name)>")?.upperBound,
            let end = text[start...].firstRange(of: "</\(name)>")?.lowerBound
        else { return nil }
        return String(text[start..<end])
    }

    private static func remedy(for kind: String, _ text: String, code: String?) -> String? {
        if code == "NoSuchBucket" { return "create the bucket, or correct repo1-s3-bucket" }
        if text.contains("failed with 401") || text.contains("failed with 403") {
            return
                "correct repo1-s3-key and repo1-s3-key-secret, or let that key list, read, write and delete in the bucket"
        }
        if kind == "HostConnectError" { return "correct repo1-s3-endpoint, or bring the store back" }
        if kind == "CryptoError", text.contains("certificate") {
            return "name a file with the authority that has issued the certificate: repo1-storage-ca-file"
        }
        return nil
    }
}

extension PgBackRestInfo.Stanza {
    /// Why nobody knows what is there; nil when that is known.
    var complaint: RepositoryComplaint? {
        isUnknown ? RepositoryComplaint(repo?.first?.status.message ?? status.message, stanza: name) : nil
    }

    /// - Throws: `Refusal` when nobody knows what is there, which is not to be taken for nothing.
    func refuseUnlessKnown() throws {
        guard let complaint else { return }
        throw Refusal(
            "the repository of '\(name)' does not answer: \(complaint.text)", remedies: [complaint.remedy])
    }

    /// What the repository says of itself: `ok`, `no valid backups` …
    var message: String { complaint?.text ?? status.message }
}
