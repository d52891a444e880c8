import Diagnostics
import YAML

/// Expressions once more, with what was not known when the inventory was read.
extension Inventory {
    /// Whether a value depends on what only the hosts themselves know.
    public var takesFacts: Bool { hosts.contains { $0.variables.values.contains(where: \.takesFacts) } }

    /// The same inventory, in which expressions may refer to variables that no file sets.
    ///
    /// - Parameter defaults: what these have, in the form of an inventory; it may refer to others.
    public func completed(with defaults: [String: String]) -> Inventory {
        var surroundings = self.surroundings
        let place = SourceLocation(file: "the defaults of Drover", line: 1, column: 1)
        for (name, text) in defaults {
            guard let node = try? YAML.parse(text, file: place.file) else { continue }
            var variable = Variable(name: name, location: place, node: node, origin: .all)
            variable.hasReferences = JinjaTemplate.isIn(text)
            surroundings.defaults[name] = variable
        }
        return resolved(in: surroundings)
    }

    /// The same inventory with what its hosts have told of themselves.
    public func bound(to facts: [String: HostFacts]) -> Inventory {
        var surroundings = self.surroundings
        surroundings.facts = facts
        return resolved(in: surroundings)
    }

    private func resolved(in surroundings: Surroundings) -> Inventory {
        var result = self
        result.surroundings = surroundings
        guard hosts.contains(where: \.hasReferences) else { return result }
        for index in hosts.indices {
            for (name, variable) in hosts[index].variables where variable.hasReferences {
                result.hosts[index].variables[name] = variable.asWritten
            }
        }
        var references = References(result.hosts, groups: groups, surroundings: surroundings)
        for index in hosts.indices {
            for variable in result.hosts[index].referringVariables where !variable.isForConnection {
                result.hosts[index].variables[variable.name] = references.resolve(variable, of: result.hosts[index])
            }
        }
        result.references = references.names
        return result
    }
}

extension Variable {
    /// Before its expressions were evaluated.
    fileprivate var asWritten: Variable {
        var result = self
        result.node = written ?? node
        result.written = nil
        result.faults = []
        return result
    }
}
