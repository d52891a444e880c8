import SSH
import YAML

/// The version of Drover, and of what it was built with.
enum ProgramVersion {
    /// The version, by semantic versioning. Packages take it from this line.
    static let current = "0.1.0"

    /// The answer of `--version`.
    static var text: String {
        let libraries = "libssh2 \(LibSSH2Version.current), libyaml \(LibYAMLVersion.current)"
        return """
            drover \(current) (\(BuildOrigin.commit.map { "commit \($0)" } ?? "built in a work tree"))
            \(BuildOrigin.compiler.map { "\($0), " } ?? "")\(libraries)
            """
    }
}
