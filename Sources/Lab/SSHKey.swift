import SystemPackage

/// An Ed25519 key in the format of OpenSSH: a private file, and beside it a public one whose name ends in `.pub`.
enum SSHKey {
    static func make(_ path: FilePath, comment: String) async throws {
        try await Program.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path.string])
    }

    /// The public half, one line.
    static func publicKey(of path: FilePath) throws -> String { try Files.text(of: FilePath(path.string + ".pub")) }
}
