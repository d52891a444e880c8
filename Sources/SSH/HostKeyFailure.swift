/// Says in words why a host's key is not to be trusted.
enum HostKeyFailure {
    /// - Parameter file: the known hosts file to which a person would add the host.
    /// - Returns: nil for a trusted key.
    static func error(
        for verdict: KnownHosts.Verdict, on key: HostKey, of destination: SSHDestination, file: String
    ) -> SSHError? {
        let host = destination.knownHostsName
        let line = "\(host) \(key.type) \(key.base64)"
        switch verdict {
        case .trusted:
            return nil
        case .unknown(let others):
            let known =
                others.isEmpty
                ? "no known hosts file names \(host)"
                : "\(others[0].place) knows \(host) only by its \(others[0].key.type) key"
            return SSHError(
                .hostKeyUnknown, "\(known), which presents the \(key.type) key \(key.fingerprint)",
                remedy: "if that is the host's own fingerprint, add this line to \(file): \(line)")
        case .changed(let old):
            return SSHError(
                .hostKeyChanged,
                "\(host) presents the \(key.type) key \(key.fingerprint), but \(old.place) knows it by "
                    + "\(old.key.fingerprint): this is another machine, or someone in between",
                remedy: "if the host was installed anew, replace \(old.place) by: \(line)")
        case .revoked(let old):
            return SSHError(
                .hostKeyRevoked, "\(host) presents the \(key.type) key \(key.fingerprint), which \(old.place) revokes",
                remedy: "give the host a new key")
        }
    }
}
