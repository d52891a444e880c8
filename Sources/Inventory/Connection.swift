import Diagnostics
import YAML

/// What the `ansible_…` variables of a host say of its connection.
struct Connection {
    var address: String?
    var port: Int?
    var user: String?
    var keyFile: String?
    var knownHostsFile: String?

    private static let understood = [
        "ansible_host", "ansible_port", "ansible_user", "ansible_ssh_private_key_file", "ansible_ssh_common_args",
        "ansible_become", "ansible_connection", "ansible_python_interpreter",
    ]

    /// Other names that Ansible has for what is understood.
    private static let synonyms = [
        "ansible_ssh_host": "ansible_host", "ansible_ssh_port": "ansible_port", "ansible_ssh_user": "ansible_user",
        "ansible_private_key_file": "ansible_ssh_private_key_file",
    ]

    private static let notYet: Set = [
        "ansible_password", "ansible_ssh_pass", "ansible_ssh_password", "ansible_ssh_extra_args",
        "ansible_ssh_private_key_passphrase", "ansible_become_user", "ansible_become_method", "ansible_become_password",
        "ansible_become_pass", "ansible_become_exe", "ansible_become_flags",
    ]

    mutating func set(_ variable: Variable) throws(Diagnostic) {
        let node = variable.node
        switch variable.name {
        case "ansible_host":
            let text = try string(node)
            guard Name.isHost(text) else { throw Diagnostic("'\(text)' is no name or address", at: node.location) }
            address = text
        case "ansible_port":
            let number: Int
            do { number = try Int(yaml: node) } catch { throw diagnostic(error, node) }
            guard (1...65_535).contains(number) else {
                throw Diagnostic("the port \(number) is not between 1 and 65535", at: node.location)
            }
            port = number
        case "ansible_user":
            let text = try string(node)
            guard !text.isEmpty, !text.hasPrefix("-"), !text.contains(where: \.isWhitespace) else {
                throw Diagnostic("'\(text)' is no name of a user", at: node.location)
            }
            user = text
        case "ansible_ssh_private_key_file": keyFile = try string(node)
        case "ansible_ssh_common_args": knownHostsFile = try knownHosts(in: try string(node), at: node.location)
        case "ansible_become":
            let becomes: Bool
            do { becomes = try Bool(yaml: node) } catch { throw diagnostic(error, node) }
            if becomes { throw notSupported("'ansible_become: true'", variable, remedy: "log in as root") }
        case "ansible_connection":
            let text = try string(node)
            if text != "ssh" { throw notSupported("the connection '\(text)'", variable, remedy: "write 'ssh'") }
        // Nothing runs Python on the hosts.
        case "ansible_python_interpreter": break
        case let name where Self.notYet.contains(name): throw notSupported("'\(name)'", variable)
        case let name:
            throw Diagnostic(
                "unknown connection variable '\(name)'", at: variable.location,
                remedy: Self.synonyms[name].map { "write '\($0)'" }
                    ?? Suggestion.remedy(for: name, among: Self.understood))
        }
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

    /// The file of `-o UserKnownHostsFile=FILE`, the only argument that is understood.
    private func knownHosts(in arguments: String, at location: SourceLocation) throws(Diagnostic) -> String? {
        var file: String?
        var words = arguments.split(separator: " ")[...]
        while let word = words.popFirst() {
            let option = word == "-o" ? words.popFirst() ?? "" : word.hasPrefix("-o") ? word.dropFirst(2) : ""
            let parts = option.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == "UserKnownHostsFile" {
                file = String(parts[1])
            } else if parts.first == "StrictHostKeyChecking" {
                throw Diagnostic(
                    "host keys are always checked", at: location,
                    remedy: "take '-o \(option)' away; '--accept-new-host-keys' accepts those of new hosts")
            } else {
                throw Diagnostic(
                    "the ssh argument '\(word == "-o" ? "-o \(option)" : String(word))' is not understood",
                    at: location,
                    remedy: "only '-o UserKnownHostsFile=PATH' is")
            }
        }
        return file
    }
}
