import CLibSSH2

/// The one global thing about libssh2: it must be initialized once, before any session, by one thread.
enum Library {
    static func initialize() throws(SSHError) {
        guard result == 0 else {
            throw SSHError(.protocolFailure, "libssh2 cannot be initialized (error \(result))")
        }
    }

    private static let result = libssh2_init(0)

    /// For example `1.10.0`.
    static var version: String { String(cString: libssh2_version(0)) }

    /// Whether RSA keys sign with SHA-2, as every sshd since OpenSSH 8.8 asks; libssh2 can since 1.11.
    static var signsRSAWithSHA2: Bool { libssh2_version(0x010b00) != nil }
}
