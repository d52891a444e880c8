import Diagnostics

/// Everything that the person named by `-i`, in its order.
struct InventorySources {
    /// What the person wrote.
    let name: String
    private let sources: [InventorySource]

    /// - Throws: `Diagnostics` with every file that cannot be an inventory.
    init(_ paths: [String]) throws(Diagnostics) {
        name = paths.joined(separator: ", ")
        var sources: [InventorySource] = []
        var diagnostics = Diagnostics()
        for path in paths {
            do { sources.append(try InventorySource(path)) } catch { diagnostics.add(error) }
        }
        try diagnostics.throwIfAny()
        self.sources = sources
    }

    /// Where variables lie beside the inventories, each once and at its last place, since a later one overrides.
    var directories: [String] {
        var seen: Set<String> = []
        return sources.compactMap(\.directory).reversed().filter { seen.insert($0).inserted }.reversed()
    }

    var programs: [String] {
        sources.flatMap(\.parts).compactMap { if case .program(let path) = $0 { path } else { nil } }
    }

    /// Reads the files.
    ///
    /// - Parameter outputs: what the programs print, by their paths.
    func contents(outputs: [String: ProgramOutput], _ diagnostics: inout Diagnostics) -> [InventoryContent] {
        var contents: [InventoryContent] = []
        for part in sources.flatMap(\.parts) {
            switch part {
            case .names(let names): contents.append(.names(names))
            case .program(let path): contents += outputs[path].map { [.output($0)] } ?? []
            case .text(let path):
                do { contents.append(try InventoryContent(file: path)) } catch { diagnostics.report(error) }
            }
        }
        return contents
    }
}
