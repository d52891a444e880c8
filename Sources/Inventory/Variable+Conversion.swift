public import YAML

/// What another inventory can be made of.
extension Variable {
    /// Its value, without references but to facts of hosts.
    public var convertible: YAMLNode { takesFacts ? written ?? node : node }

    /// Whether its value was encrypted together with the file that it stands in, so that it must not be written elsewhere.
    public var isEncrypted: Bool { convertible.hasSecrets }
}

extension Inventory {
    /// The names to which the value of a variable refers.
    public func references(of name: String) -> Set<String> { references[name] ?? [] }
}

extension YAMLNode {
    fileprivate var hasSecrets: Bool {
        if tag == YAMLNode.secretTag { return true }
        switch value {
        case .scalar: return false
        case .sequence(let elements): return elements.contains(where: \.hasSecrets)
        case .mapping(let entries): return entries.contains { $0.value.hasSecrets }
        }
    }
}
