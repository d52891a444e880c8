public import Diagnostics
public import Secrets
public import Vault
import YAML

/// What a program keeps beside an inventory, and gives its hosts from there.
extension Inventory {
    /// The directory of its first file, empty or with a `/` at the end.
    public var directory: String { directories.first ?? "" }

    /// What opens that which is encrypted.
    public var passwords: VaultPasswords { vault }

    /// Whether any of its hosts has a variable.
    public func has(_ variable: String) -> Bool { hosts.contains { $0.variables[variable] != nil } }

    /// The same inventory without these variables where they are empty texts.
    public func withoutEmpty(_ names: [String]) -> Inventory {
        var result = self
        for index in result.hosts.indices {
            for name in names where result.hosts[index].variables[name]?.node.text == "" {
                result.hosts[index].variables[name] = nil
            }
        }
        return result
    }

    /// The same inventory in which hosts that do not have these variables have them as secrets.
    ///
    /// - Parameters:
    ///   - secrets: the values, by name of the variable.
    ///   - location: where they are from.
    public func giving(_ secrets: [String: Secret], from location: SourceLocation) -> Inventory {
        var result = self
        for (name, secret) in secrets where !has(name) {
            let node = YAMLNode(.scalar(secret.reveal(), plain: false), at: location, tag: YAMLNode.secretTag)
            let variable = Variable(name: name, location: location, node: node, origin: .all)
            for index in result.hosts.indices { result.hosts[index].variables[name] = variable }
        }
        return result
    }
}
