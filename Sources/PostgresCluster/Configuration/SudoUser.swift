import Diagnostics
public import YAML

extension SystemSettings {
    /// One of `sudo_users`: a user, and the commands that the user may run as any other.
    public struct SudoUser: Sendable, Equatable {
        public let name: String
        /// Whether no password is asked for.
        public let hasNoPassword: Bool
        /// `ALL`, or programs with commas between them.
        public let commands: String

        /// The line of its file.
        var line: String { "\(name) ALL=(ALL) \(hasNoPassword ? "NOPASSWD: " : "")\(commands)\n" }

        var path: String { "/etc/sudoers.d/\(name)" }
    }
}

extension SystemSettings.SudoUser: YAMLDecodable {
    /// `{ name: joe, nopasswd: 'no', commands: '/usr/bin/less, /bin/kill' }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a user of sudo")
        let name: String? = reader.required("name")
        let hasNoPassword = reader.optional("nopasswd") ?? false
        let commands: String = reader.optional("commands") ?? "ALL"
        // sudo reads no file of that folder with a dot in its name.
        if let name, name.wholeMatch(of: /[a-z_][a-z0-9_-]*/) == nil {
            reader.diagnostics.report(
                "'\(name)' cannot name a user of sudo", at: node.location,
                remedy: "use lower-case letters, digits, '_' and '-'")
        }
        if commands != "ALL", commands.wholeMatch(of: /!?\/[ -~]+(, *!?\/[ -~]+)*/) == nil {
            reader.diagnostics.report(
                "'\(commands)' are no commands of sudo", at: node.location,
                remedy: "write ALL, or programs with their absolute paths, with commas between them")
        }
        let user = try reader.finish(name)
        self.init(name: user, hasNoPassword: hasNoPassword, commands: commands)
    }
}
