public import Diagnostics
public import Secrets
import Vault
public import YAML

extension Secret: YAMLDecodable {
    /// Takes a string, or the value that an `!env`, `!file`, `!command` or `!vault` had when ``Inventory/resolvingSecrets()``
    /// read it.
    public init(yaml node: YAMLNode) throws {
        switch node.tag {
        case nil: self.init(try String(yaml: node))
        case YAMLNode.secretTag:
            guard let text = node.text else { throw node.mismatch(expected: "a secret") }
            self.init(text)
        default: throw Diagnostic("the secret was not read from outside yet", at: node.location)
        }
    }
}

extension Inventory {
    /// The inventory with every `!env`, `!file`, `!command` and `!vault` in the variables of its hosts and of their
    /// connections read, each only once.
    ///
    /// - Throws: `Diagnostics` with every one that cannot be read.
    public func resolvingSecrets() async throws(Diagnostics) -> Inventory {
        var resolver = SecretResolver(directories: directories, vault: vault)
        var result = self
        for index in hosts.indices {
            for (name, node) in hosts[index].connection.secrets.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                result.hosts[index].connection.secrets[name] = await resolver.resolve(node)
            }
            for (name, variable) in hosts[index].variables.sorted(by: { $0.key < $1.key }) {
                result.hosts[index].variables[name]?.node = await resolver.resolve(variable.node)
                if let written = variable.written {
                    result.hosts[index].variables[name]?.written = await resolver.resolve(written)
                }
            }
        }
        try resolver.diagnostics.throwIfAny()
        return result
    }
}

/// Reads secrets, each only once: many hosts share a variable.
private struct SecretResolver {
    /// What tells secrets apart. The location alone does not, for every `-e '{…}'` begins at the same one; nor does the
    /// source, for a command may print another secret at each place.
    private struct Key: Hashable {
        var source: SecretSource
        var location: SourceLocation
    }

    private let directories: [String]
    private let vault: VaultPasswords
    private var known: [Key: YAMLNode] = [:]
    private(set) var diagnostics = Diagnostics()

    init(directories: [String], vault: VaultPasswords) {
        self.directories = directories
        self.vault = vault
    }

    /// Where relative paths in a file begin: beside the inventory that it belongs to.
    private func directory(of file: String) -> String {
        directories.filter { file.hasPrefix($0) }.max { $0.count < $1.count } ?? directories.first ?? ""
    }

    mutating func resolve(_ node: YAMLNode) async -> YAMLNode {
        var result = node
        switch node.value {
        case _ where node.tag == YAMLNode.secretTag: break
        case _ where node.tag != nil: return await read(node)
        case .scalar: break
        case .sequence(let elements):
            var resolved: [YAMLNode] = []
            for element in elements { resolved.append(await resolve(element)) }
            result.value = .sequence(resolved)
        case .mapping(let entries):
            var resolved: [(key: YAMLNode, value: YAMLNode)] = []
            for entry in entries { resolved.append((entry.key, await resolve(entry.value))) }
            result.value = .mapping(resolved)
        }
        return result
    }

    private mutating func read(_ node: YAMLNode) async -> YAMLNode {
        var result = node
        do {
            guard let source = try SecretSource(node) else { return node }
            let key = Key(source: source, location: node.location)
            if let earlier = known[key] { return earlier }
            // A source that fails is not asked again, either.
            defer { known[key] = result }
            let text = try await source.read(
                relativeTo: directory(of: node.location.file), vault, at: node.location)
            result = YAMLNode(.scalar(text, plain: false), at: node.location, tag: YAMLNode.secretTag)
        } catch {
            diagnostics.report(error)
        }
        return result
    }
}
