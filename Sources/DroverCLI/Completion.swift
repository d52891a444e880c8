import ArgumentParser
import FoundationEssentials
import Inventory

extension CompletionKind {
    /// The hosts and groups of the inventory that stands on the command line. What is wrong with it is passed over in
    /// silence: somebody is typing.
    static var hosts: CompletionKind {
        .custom { words, _, prefix in
            let sources = Completion.values(of: ["-i", "--inventory"], in: words).map(InventoryOptions.place)
            guard let inventory = try? Completion.inventory(sources) else { return [] }
            return Completion.names(of: inventory, after: prefix)
        }
    }
}

/// What is completed on a command line.
enum Completion {
    /// What the options of these names say, in their order.
    static func values(of names: [String], in words: [String]) -> [String] {
        var values: [String] = []
        for (index, word) in words.enumerated() {
            if names.contains(word), index + 1 < words.count {
                values.append(words[index + 1])
            } else if let name = names.first(where: { $0.hasPrefix("--") && word.hasPrefix($0 + "=") }) {
                values.append(String(word.dropFirst(name.count + 1)))
            }
        }
        return values
    }

    /// Programs are not run: they may take their time.
    static func inventory(_ sources: [String]) throws -> Inventory? {
        guard let first = sources.first else { return nil }
        return try Inventory.load(file: first)
    }

    /// The names of hosts and groups that continue a pattern such as `web,&ea`.
    static func names(of inventory: Inventory, after prefix: String) -> [String] {
        let end = prefix.lastIndex { ",:&!".contains($0) }.map { prefix.index(after: $0) } ?? prefix.startIndex
        let names = inventory.groups.map(\.name) + inventory.hosts.map(\.name)
        return names.filter { $0.hasPrefix(prefix[end...]) }.map { prefix[..<end] + $0 }
    }
}
