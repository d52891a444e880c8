import ArgumentParser
package import Engine
package import Inventory

/// The options of every command that contacts hosts.
package struct CommonOptions: ParsableArguments {
    @OptionGroup(title: "Inventory") var inventory: InventoryOptions
    @OptionGroup(title: "Login") var login: LoginOptions

    package init() {}

    /// Reads and checks the inventory, and the secrets that it takes from outside.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    package func loadInventory() async throws -> Inventory {
        try await inventory.load().resolvingSecrets()
    }

    /// How the hosts of the inventory are reached. Asks the person for what is secret, before any host is contacted.
    ///
    /// - Throws: `Diagnostic` when a passphrase is wrong, or is needed without a terminal to ask at.
    package func settings(for inventory: Inventory) async throws -> ConnectionSettings {
        try await login.settings(for: inventory)
    }
}
