import ArgumentParser
import Engine
import FoundationEssentials
package import Inventory

/// Which hosts there are, and what overrides their variables.
package struct InventoryOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("inventory")],
        help: "The inventory: a file, a directory of files, a program, or 'HOST,'; several are merged.",
        completion: .file())
    var sources: [String]

    @Option(
        name: [.customShort("e"), .customLong("extra-vars")],
        help: "Set KEY=VALUE, or the variables of @FILE, for all hosts; it overrides all files.")
    var extraVariables: [String] = []

    @Option(
        help: ArgumentHelp(
            "Of several PostgreSQL clusters in the inventory the one that all is about, by its patroni_cluster_name.",
            visibility: Clusters.visibility))
    var cluster: String?

    @OptionGroup var vault: VaultOptions

    package init() {}

    /// The sources as the person named them.
    var name: String { sources.joined(separator: ", ") }

    /// Reads and checks the inventory, but not the secrets that it takes from outside.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    package func load() async throws -> Inventory {
        let inventory = try await Inventory.load(
            sources.map(Self.place), extraVariables: extraVariables, vault: try await vault.passwords())
        guard let cluster else { return inventory }
        return try Clusters.required(for: "--cluster").select(cluster, from: inventory)
    }

    /// A file of the working directory wins; the inventories that came with the program are found from anywhere.
    static func place(of path: String) -> String {
        let files = FileManager.default
        guard !path.hasPrefix("/"), !files.fileExists(atPath: path), let folder = Installation.folder else {
            return path
        }
        return ["\(folder)/\(path)", "\(folder)/inventory/\(path)"].first(where: files.fileExists) ?? path
    }
}
