import Diagnostics
public import SSH
public import Secrets
import YAML

/// What the `ansible_…` variables of a host say of its connection.
public struct Connection: Sendable {
    /// Whether `ansible_connection` is `local`: the host is this machine, and nobody logs in.
    public internal(set) var isLocal = false
    /// `ansible_host`
    public internal(set) var address: String?
    /// `ansible_port`
    public internal(set) var port: Int?
    /// `ansible_user`
    public internal(set) var user: String?
    /// `ansible_ssh_private_key_file` as it is written.
    public internal(set) var keyFile: String?
    /// `UserKnownHostsFile` of `ansible_ssh_common_args` as it is written.
    public internal(set) var knownHostsFile: String?
    /// The hosts of `-J` or `-o ProxyJump=` in `ansible_ssh_common_args`; empty for `none`.
    public internal(set) var jumps: [JumpHost]?
    /// `ansible_become`: whether to work as another user than that of the login.
    public internal(set) var becomes: Bool?
    /// `ansible_become_user`
    public internal(set) var becomeUser: String?
    /// What is secret, as it is written; read from outside by ``Inventory/resolvingSecrets()``.
    var secrets: [SecretName: YAMLNode] = [:]

    enum SecretName: String {
        case password = "ansible_password"
        case passphrase = "ansible_ssh_private_key_passphrase"
        case becomePassword = "ansible_become_password"
    }

    /// `ansible_password`
    public var password: Secret? { secret(.password) }
    /// `ansible_ssh_private_key_passphrase`: that of the key file.
    public var passphrase: Secret? { secret(.passphrase) }
    /// `ansible_become_password`
    public var becomePassword: Secret? { secret(.becomePassword) }

    private func secret(_ name: SecretName) -> Secret? {
        // Checked where it was set.
        secrets[name].flatMap { try? Secret(yaml: $0) }
    }

    private static let understood = [
        "ansible_host", "ansible_port", "ansible_user", "ansible_ssh_private_key_file", "ansible_ssh_common_args",
        "ansible_become", "ansible_become_user", "ansible_become_method", "ansible_become_password",
        "ansible_password", "ansible_ssh_private_key_passphrase", "ansible_connection", "ansible_python_interpreter",
    ]

    private static let notYet: Set = [
        "ansible_ssh_extra_args", "ansible_become_exe", "ansible_become_flags",
    ]

    mutating func set(_ variable: Variable) throws(Diagnostic) {
        let node = variable.node
        switch variable.name {
        case "ansible_host", "ansible_ssh_host":
            let text = try string(node)
            guard Name.isHost(text) else { throw Diagnostic("'\(text)' is no name or address", at: node.location) }
            address = text
        case "ansible_port", "ansible_ssh_port":
            let number: Int
            do { number = try Int(yaml: node) } catch { throw diagnostic(error, node) }
            guard (1...65_535).contains(number) else {
                throw Diagnostic("the port \(number) is not between 1 and 65535", at: node.location)
            }
            port = number
        case "ansible_user", "ansible_ssh_user": user = try userName(node)
        case "ansible_ssh_private_key_file", "ansible_private_key_file": keyFile = try string(node)
        case "ansible_ssh_common_args": try setArguments(try string(node), at: node.location)
        case "ansible_become":
            do { becomes = try Bool(yaml: node) } catch { throw diagnostic(error, node) }
        case "ansible_become_user": becomeUser = try userName(node)
        case "ansible_become_method":
            let text = try string(node)
            if text != "sudo" { throw notSupported("the method '\(text)'", variable, remedy: "write 'sudo'") }
        case "ansible_become_password", "ansible_become_pass": try set(.becomePassword, node)
        case "ansible_password", "ansible_ssh_pass", "ansible_ssh_password": try set(.password, node)
        case "ansible_ssh_private_key_passphrase": try set(.passphrase, node)
        case "ansible_connection":
            let text = try string(node)
            guard ["ssh", "local"].contains(text) else {
                throw notSupported("the connection '\(text)'", variable, remedy: "write 'ssh' or 'local'")
            }
            isLocal = text == "local"
        // Nothing runs Python on the hosts.
        case "ansible_python_interpreter": break
        case let name where Self.notYet.contains(name): throw notSupported("'\(name)'", variable)
        case let name:
            throw Diagnostic(
                "unknown connection variable '\(name)'", at: variable.location,
                remedy: Suggestion.remedy(for: name, among: Self.understood))
        }
    }

    private mutating func set(_ name: SecretName, _ node: YAMLNode) throws(Diagnostic) {
        // Its tag, if it has one, is checked with those of all variables.
        if node.tag == nil { _ = try string(node) }
        secrets[name] = node
    }

    private func userName(_ node: YAMLNode) throws(Diagnostic) -> String {
        let text = try string(node)
        guard !text.isEmpty, !text.hasPrefix("-"), !text.contains(where: \.isWhitespace) else {
            throw Diagnostic("'\(text)' is no name of a user", at: node.location)
        }
        return text
    }

    private func string(_ node: YAMLNode) throws(Diagnostic) -> String {
        do { return try String(yaml: node) } catch { throw diagnostic(error, node) }
    }

    private func diagnostic(_ error: any Error, _ node: YAMLNode) -> Diagnostic {
        error as? Diagnostic ?? Diagnostic("\(error)", at: node.location)
    }

    private func notSupported(_ what: String, _ variable: Variable, remedy: String? = nil) -> Diagnostic {
        Diagnostic("\(what) is not supported yet", at: variable.location, remedy: remedy)
    }

    /// Takes the arguments for ssh that mean something here.
    private mutating func setArguments(_ text: String, at location: SourceLocation) throws(Diagnostic) {
        var words = text.split(separator: " ")[...]
        while let word = words.popFirst() {
            let flag = word.prefix(2)
            guard ["-o", "-J"].contains(flag) else { throw notUnderstood(String(word), at: location) }
            let value = word.count > 2 ? word.dropFirst(2) : words.popFirst() ?? ""
            if flag == "-J" {
                jumps = try jumpHosts(value, at: location)
            } else {
                try setOption(value, at: location)
            }
        }
    }

    private mutating func setOption(_ option: Substring, at location: SourceLocation) throws(Diagnostic) {
        let parts = option.split(separator: "=", maxSplits: 1)
        switch (parts.first?.lowercased(), parts.count) {
        case ("userknownhostsfile", 2): knownHostsFile = String(parts[1])
        case ("proxyjump", 2): jumps = try jumpHosts(parts[1], at: location)
        case ("proxycommand", _):
            throw Diagnostic("ProxyCommand is not supported", at: location, remedy: "write '-J HOST' instead")
        case ("stricthostkeychecking", _):
            throw Diagnostic(
                "host keys are always checked", at: location,
                remedy: "take '-o \(option)' away; '--accept-new-host-keys' accepts those of new hosts")
        default: throw notUnderstood("-o \(option)", at: location)
        }
    }

    private func jumpHosts(_ text: Substring, at location: SourceLocation) throws(Diagnostic) -> [JumpHost] {
        if text == "none" { return [] }
        guard let hosts = JumpHost.list(text) else {
            throw Diagnostic(
                "'\(text)' names no jump hosts", at: location, remedy: "write USER@HOST:PORT, separated by commas")
        }
        return hosts
    }

    private func notUnderstood(_ argument: String, at location: SourceLocation) -> Diagnostic {
        Diagnostic(
            "the ssh argument '\(argument)' is not understood", at: location,
            remedy: "only '-J HOST', '-o ProxyJump=HOST' and '-o UserKnownHostsFile=PATH' are")
    }
}
