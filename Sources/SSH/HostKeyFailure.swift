/// Says in words why a host's key is not to be trusted.
enum HostKeyFailure {
    /// - Parameters:
    ///   - file: the known hosts file to which a person would add the host.
    ///   - authority: the line that names an authority which signs its keys.
    /// - Returns: nil for a trusted key.
    static func error(
        for verdict: KnownHosts.Verdict, on key: HostKey, of destination: SSHDestination, file: String,
        authority: KnownHostsLine? = nil
    ) -> SSHError? {
        let host = destination.knownHostsName
        let line = NewHostKey(key: key, destination: destination).line
        switch verdict {
        case .trusted:
            return nil
        case .unknown(let others):
            var known = "no known hosts file names \(host)"
            if let authority {
                known =
                    "\(authority.place) knows \(host) only by certificates (@cert-authority), which libssh2 cannot check"
            }
            if let other = others.first { known = "\(other.place) knows \(host) only by its \(other.key.type) key" }
            return SSHError(
                .hostKeyUnknown, "\(known), which presents the \(key.type) key \(key.fingerprint)",
                remedy: "if that is the host's own fingerprint, "
                    + (others.isEmpty ? "use --accept-new-host-keys, or " : "") + "add this line to \(file): \(line)")
        case .changed(let old):
            return SSHError(
                .hostKeyChanged,
                "\(host) presents the \(key.type) key \(key.fingerprint), but \(old.place) knows it by "
                    + "\(old.key.fingerprint): this is another machine, or someone in between",
                remedy: "if the host was installed anew, replace \(old.place) by: \(line)")
        case .revoked(let old):
            return revoked(key, of: destination, by: old.place)
        }
    }

    /// - Parameter place: what revokes the key.
    static func revoked(_ key: HostKey, of destination: SSHDestination, by place: String) -> SSHError {
        SSHError(
            .hostKeyRevoked,
            "\(destination.knownHostsName) presents the \(key.type) key \(key.fingerprint), which \(place) revokes",
            remedy: "give the host a new key")
    }
}
