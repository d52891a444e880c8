import Engine

/// Whether the `keepalived.conf` of a host has a password for VRRP, as those of earlier versions have.
struct KeepalivedAuthentication: Fact {
    /// The shell itself reads; no program is started.
    static func script(for questions: [KeepalivedAuthentication]) -> ShellText {
        let path = ShellText.quoting(KeepalivedPriority.path)
        return "[ ! -r \(path) ] || while read -r key _; do [ \"$key\" != auth_pass ] || echo password; done <\(path)"
    }

    static func answers(
        to questions: [KeepalivedAuthentication], from output: String
    ) throws -> [KeepalivedAuthentication: Bool] {
        [KeepalivedAuthentication(): output.linesOfText.contains("password")]
    }
}
