import Engine

/// The operating system of a host.
struct HostRelease: Fact {
    /// Runs no program.
    static func script(for questions: [HostRelease]) -> ShellText {
        #"""
        [ ! -r /etc/os-release ] || while IFS='=' read -r key value; do
            case $key in ID | VERSION_ID | VERSION_CODENAME) printf '%s=%s\n' "$key" "$value" ;; esac
        done </etc/os-release
        """#
    }

    static func answers(to questions: [HostRelease], from output: String) throws -> [HostRelease: OSRelease] {
        var release = OSRelease()
        for line in output.linesOfText {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw UnreadableAnswer(HostRelease.self, line) }
            let value = parts[1].filter { !"\"'".contains($0) }
            switch parts[0] {
            case "ID": release.distribution = value
            case "VERSION_ID": release.version = value
            case "VERSION_CODENAME": release.codeName = value
            default: throw UnreadableAnswer(HostRelease.self, line)
            }
        }
        return [HostRelease(): release]
    }
}
