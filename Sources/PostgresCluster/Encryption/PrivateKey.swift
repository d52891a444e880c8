import Engine
import Secrets
import SystemResources

/// Ensures that a host has a private key, which it makes itself and which never leaves it, and that nobody but its user can
/// read it.
struct PrivateKey: Resource {
    let identity: HostIdentity
    /// Whether it is made where it is missing, or somebody else puts it there.
    let isMade: Bool
    /// A key with a certificate from before this is replaced, in seconds since 1970; nil replaces none.
    var replacedBefore: Int?

    var name: String { "private key \(identity.key)" }

    private var files: IdentityFiles { IdentityFiles(identity: identity) }
    private var status: FileStatus { FileStatus(identity.key) }

    var questions: [any Fact] { [files, status] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let attributes = try facts[status]
        let found = try facts[files]
        if isMade, found.nextPublicKey == nil, IssuedCertificate.isReplaced(found, before: replacedBefore) {
            return [
                Change(
                    "make a new private key to replace \(identity.key)", script: making(.quoting(identity.nextKey)),
                    effects: [.writes(identity.nextKey)])
            ]
        }
        if found.publicKey == nil {
            guard isMade else { return [] }
            return [
                Change(
                    "make the private key \(identity.key)", .create, script: making(.quoting(identity.key)),
                    effects: [.writes(identity.key)]
                )
            ]
        }
        guard let attributes,
            attributes.owner != identity.user || attributes.group != identity.user || attributes.mode != Self.mode
        else { return [] }
        return [Change("let only \(identity.user) read \(identity.key)", script: owning(.quoting(identity.key)))]
    }

    private static let mode: FileMode = 0o600

    private func owning(_ path: ShellText) -> ShellText {
        """
        chown \(quoting: "\(identity.user):\(identity.user)") \(path)
        chmod 600 \(path)
        """
    }

    private func making(_ path: ShellText) -> ShellText {
        """
        rm -f -- \(path).drover.??????
        new=$(mktemp \(path).drover.XXXXXX)
        trap 'rm -f "$new"' EXIT
        trap 'exit 143' HUP INT TERM
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$new"
        \(owning("\"$new\""))
        sync "$new"
        mv -fT -- "$new" \(path)
        trap - EXIT
        sync \(quoting: HostIdentity.folder)
        """
    }
}
