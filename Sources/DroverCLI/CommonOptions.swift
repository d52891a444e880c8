import ArgumentParser
import Drover
import FoundationEssentials
import Inventory
import NIOPosix

/// The options of every command that contacts hosts.
struct CommonOptions: ParsableArguments {
    @Option(name: [.short, .customLong("inventory")], help: "The inventory file.")
    var inventory: String

    @Option(name: .long, help: "The user to log in as, where the inventory names none.")
    var user: String?

    @Option(name: .long, help: "The private key to log in with, where the inventory names none.")
    var privateKey: String?

    @Option(name: .long, help: "The known hosts file, instead of those of the inventory and of the user.")
    var knownHosts: String?

    /// Reads and checks the inventory, and the secrets that it takes from outside.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    func loadInventory() async throws -> Inventory {
        try await Inventory.load(file: place(of: inventory)).resolvingSecrets()
    }

    var settings: ConnectionSettings {
        ConnectionSettings(
            user: user, keyFile: privateKey, knownHostsFile: knownHosts,
            eventLoops: MultiThreadedEventLoopGroup.singleton)
    }

    /// A file of the working directory wins; the inventories that came with the program are found from anywhere.
    private func place(of path: String) -> String {
        let files = FileManager.default
        guard !path.hasPrefix("/"), !files.fileExists(atPath: path), let folder = Installation.folder else {
            return path
        }
        return ["\(folder)/\(path)", "\(folder)/inventory/\(path)"].first(where: files.fileExists) ?? path
    }
}
