import Certificates
import Engine
import Secrets
import SystemResources

/// Ensures that a host has a certificate of the cluster's authority: for its key, its names, and for a while yet.
struct IssuedCertificate: Resource {
    let identity: HostIdentity
    /// Host names and addresses, the first one for people too.
    let names: [String]
    let authority: CertificateAuthority
    /// Why the authority cannot issue; nil when it can.
    let hindrance: Refusal?
    /// Seconds since 1970.
    let now: Int
    /// One that was issued before this is replaced together with its key, in seconds since 1970; nil replaces none.
    var replacedBefore: Int?

    var name: String { "certificate \(identity.certificate)" }

    private var files: IdentityFiles { IdentityFiles(identity: identity) }

    var questions: [any Fact] { [files] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let found = try facts[files]
        guard
            let fault = Self.fault(
                of: found, names: names, authority: authority, now: now, replacedBefore: replacedBefore)
        else { return [] }
        if let hindrance { throw hindrance }
        let summary = "issue the certificate \(identity.certificate) (\(fault.words))"
        // The play before this one makes the key.
        guard let publicKey = fault == .replaced ? found.nextPublicKey : found.publicKey,
            let text = try authority.issue(to: names, publicKey: publicKey, at: now)
        else {
            return [
                Change(summary, script: "echo 'there is no key yet'; exit 1", effects: [.writes(identity.certificate)])
            ]
        }
        // It is no secret, but another one each time that it is issued, which no plan should be stale for.
        var content = MaskedText()
        content.append(Secret(text))
        var change = File(identity.certificate, containing: content).written(summary)
        if fault == .replaced {
            // Whoever comes between the two to an etcd finds a key and a certificate that do not belong together, for
            // milliseconds, and tries again. A run that dies there makes another key next time.
            let order: ShellText = "mv -fT -- \(quoting: identity.nextKey) \(quoting: identity.key)"
            change.script = "\(order)\n\(change.script)"
        }
        return [change]
    }

    /// Whether the certificate that was found is from before a moment, so that it is replaced together with its key.
    static func isReplaced(_ found: IdentityFiles.Answer, before moment: Int?) -> Bool {
        guard let moment, let certificate = found.certificate.flatMap(HostCertificate.init) else { return false }
        return certificate.issued < moment
    }

    /// What is wrong with a certificate.
    enum Fault: Equatable {
        case missing, replaced, otherKey, otherAuthority, otherNames
        /// In days; negative when it has ended.
        case ends(Int)

        var words: String {
            switch self {
            case .missing: "there is none"
            case .replaced: "its key is replaced"
            case .otherKey: "it is not that of the key"
            case .otherAuthority: "another authority has issued it"
            case .otherNames: "the names have changed"
            case .ends(let days): days < 0 ? "it has ended" : "it ends in \(days) days"
            }
        }
    }

    /// So many days before its end a certificate is issued anew.
    static let notice = 30

    /// What is wrong with a certificate, so that it is to be issued anew; nil when nothing is.
    static func fault(
        of found: IdentityFiles.Answer, names: [String], authority: CertificateAuthority, now: Int,
        replacedBefore: Int? = nil
    ) -> Fault? {
        guard let text = found.certificate, let certificate = HostCertificate(text) else { return .missing }
        if isReplaced(found, before: replacedBefore) { return .replaced }
        guard let key = found.publicKey, certificate.isOf(publicKey: key) else { return .otherKey }
        guard certificate.isIssued(by: authority) else { return .otherAuthority }
        guard certificate.names == Set(names) else { return .otherNames }
        // One that ends with its authority gets no better by being issued anew.
        let days = Self.days(from: now, to: certificate.end)
        return days < notice && certificate.end < authority.end ? .ends(days) : nil
    }

    static func days(from now: Int, to end: Int) -> Int { Int((Double(end - now) / 86_400).rounded(.down)) }
}
