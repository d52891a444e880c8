import ArgumentParser
import Diagnostics
import Engine
import FoundationEssentials
package import Inventory

/// Which hosts there are, and what overrides their variables.
package struct InventoryOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("inventory")],
        help:
            "The inventory: a file, a directory of files, a program, or 'HOST,'; several are merged. Without it that of $DROVER_INVENTORY, or hosts.yml.",
        completion: .file())
    var sources: [String] = []

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
    var name: String { chosen.joined(separator: ", ") }

    /// What the command line names, or else the environment, or else the customary file of the working directory.
    private var chosen: [String] {
        if !sources.isEmpty { return sources }
        if let given = ProcessInfo.processInfo.environment["DROVER_INVENTORY"], !given.isEmpty { return [given] }
        return FileManager.default.fileExists(atPath: Self.customary) ? [Self.customary] : []
    }

    private static let customary = "hosts.yml"

    /// Reads and checks the inventory, but not the secrets that it takes from outside.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    package func load() async throws -> Inventory {
        guard !chosen.isEmpty else {
            throw Diagnostic(
                "no inventory is named", remedy: "write -i FILE, set DROVER_INVENTORY, or call the file hosts.yml")
        }
        let inventory = try await Inventory.load(
            chosen.map(Self.place), extraVariables: extraVariables, vault: try await vault.passwords())
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
