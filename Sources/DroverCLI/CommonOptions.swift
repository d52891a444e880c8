import ArgumentParser
import Drover
import Inventory
import NIOPosix

/// The options of every command that contacts hosts.
struct CommonOptions: ParsableArguments {
    @OptionGroup var inventory: InventoryOptions

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
        try await inventory.load().resolvingSecrets()
    }

    var settings: ConnectionSettings {
        ConnectionSettings(
            user: user, keyFile: privateKey, knownHostsFile: knownHosts,
            eventLoops: MultiThreadedEventLoopGroup.singleton)
    }
}
