public import ArgumentParser
import Diagnostics
public import Inventory

/// What a program knows of the clusters in an inventory.
///
/// With it the commands that all programs have can do more: `--cluster`, `inventory --lint`, `--describe`, `--prometheus`, and
/// what stands below `secret`.
public protocol ClusterSupport: Sendable {
    /// The inventory of one of its clusters.
    ///
    /// - Throws: `Diagnostics` if there is no such cluster.
    func select(_ cluster: String, from inventory: Inventory) throws -> Inventory

    /// What becomes of each variable, in lines, and whether a cluster can be made of the inventory.
    ///
    /// - Throws: `Diagnostics` if the inventory has no cluster.
    func review(_ inventory: Inventory) throws -> (lines: [String], isClean: Bool)

    /// A variable's type, its default, and what a change of it needs, in lines.
    ///
    /// - Throws: `Diagnostic` if there is no such variable.
    func describe(_ variable: String) throws -> String

    /// What Prometheus can scrape, in the form of `file_sd_configs`.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong in the inventory.
    func scrapeTargets(of inventory: Inventory) throws -> any Encodable

    /// The commands about the secrets of a cluster.
    var secretCommands: [any ParsableCommand.Type] { get }
}

/// The clusters that the running program knows.
enum Clusters {
    @TaskLocal static var support: (any ClusterSupport)?

    /// Whether help shows an option about clusters.
    static var visibility: ArgumentVisibility { support == nil ? .private : .default }

    /// - Throws: `Diagnostic` if the program knows none.
    static func required(for option: String) throws -> any ClusterSupport {
        guard let support else { throw Diagnostic("\(option): this program knows no clusters", remedy: "leave it out") }
        return support
    }
}
