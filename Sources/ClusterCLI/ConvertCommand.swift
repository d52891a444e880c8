import ArgumentParser
import Diagnostics
import DroverCLI
import Engine
import FoundationEssentials
import Inventory
import PostgresCluster

/// `drover convert`: an inventory of postgresql_cluster, reduced to what matters here.
struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write an inventory with only what matters, made of one of postgresql_cluster and its variables.")

    @OptionGroup var inventory: InventoryOptions

    @Option(
        name: [.short, .long], help: "The file to write, which must not exist; without it the inventory is printed.",
        completion: .file())
    var output: String?

    @Flag(help: "Print what becomes of every variable instead of the inventory.")
    var report = false

    init() {}

    func run() async throws {
        try await Failure.explained {
            let read = try await inventory.load()
            let conversion = try InventoryConversion(of: read, resolved: try await read.resolvingSecrets())
            if report {
                Terminal.print(conversion.report)
                return .done
            }
            let review = conversion.review
            guard review.unsupported.isEmpty, review.faults.isEmpty else {
                LintText(review: review).complaints.forEach { Terminal.printError($0) }
                return .wrongInput
            }
            if let output {
                guard !FileManager.default.fileExists(atPath: output) else {
                    throw Diagnostic("the file '\(output)' is there already", remedy: "choose another one")
                }
                try Data(conversion.text.utf8).write(to: URL(filePath: output))
            } else {
                Terminal.print(conversion.text)
            }
            return .done
        }
    }
}
