extension AlgorithmOffer.Purpose {
    /// Those of the algorithms of libssh2 that are offered to a host, in their order.
    ///
    /// libssh2 offers all it has: DSA keys, the 1024-bit group, arcfour, 3DES, HMAC-MD5. What is left includes what sshd
    /// has of its own accord since OpenSSH 6.7 (Debian 8, CentOS 7), and names that libssh2 does not know yet.
    ///
    /// Host keys of RSA still sign by SHA-1 where libssh2 cannot do better: a host known by no other key would be lost, and
    /// the signature covers a hash that both sides have a part in. Every host before OpenSSH 6.7 has only HMAC-SHA1,
    /// which the collisions of SHA-1 do not touch; it comes last. Source: RFC 9142, section 1.1 and table 12.
    func modern(of names: [String]) -> [String] {
        switch self {
        // The extensions that a client offers stand among these, too.
        case .keyExchange: names.filter { !$0.contains("sha1") }
        case .hostKey:
            names.filter { !$0.hasPrefix("ssh-dss") && !$0.hasPrefix("ssh-rsa") }
                + names.filter { $0.hasPrefix("ssh-rsa") }
        case .cipher: names.filter { $0.contains("-ctr") || $0.contains("-gcm") || $0.hasPrefix("chacha20-poly1305") }
        case .authentication: names.filter { $0.contains("-sha2-") } + names.filter { $0 == "hmac-sha1" }
        }
    }
}
