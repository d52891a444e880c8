import ArgumentParser
import Diagnostics
import DroverCLI
import Engine
import FoundationEssentials
import Inventory
import PostgresCluster

/// `drover secret rotate -i INVENTORY NAME…`
struct SecretRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace generated secrets of a cluster by new ones.",
        discussion: """
            The new secrets stand beside the inventory at once, and 'drover apply deploy-cluster' brings them to the hosts. \
            Until it has ended, run it again if it was interrupted. What can be rotated: \
            \(SecretRotation.names.joined(separator: ", ")).
            """)

    @OptionGroup(title: "Inventory") var inventory: InventoryOptions

    @Flag(help: "Rotate all passwords that the inventory does not give.")
    var all = false

    @Argument(help: "What to rotate.")
    var names: [String] = []

    func run() async throws {
        try await Failure.explained {
            guard all == names.isEmpty else {
                throw Diagnostic(
                    all ? "both --all and names are given" : "nothing to rotate", remedy: "name secrets, or give --all")
            }
            let rotation = try SecretRotation(
                of: all ? nil : names, in: try await inventory.load().resolvingSecrets(),
                at: Int(Date().timeIntervalSince1970))
            try rotation.write()
            for (name, location) in rotation.given {
                Terminal.print(
                    "not rotated: \(name), which the inventory gives at \(location); write another value there")
            }
            guard !rotation.rotated.isEmpty else { return .done }
            Terminal.print("rotated: \(rotation.rotated.joined(separator: ", "))")
            Terminal.print(
                "Now run 'drover apply deploy-cluster' with this inventory. Until then the cluster has the old ones.")
            return .done
        }
    }
}
