public import ArgumentParser
import DroverCLI
import Engine
import Inventory
public import PostgresCluster

/// `drover connect`: how clients connect to a cluster.
struct ConnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect", abstract: "Print how clients connect to a cluster, or open psql.",
        discussion: """
            Without --format, in a terminal, and with psql installed, it runs psql. It contacts no host to choose the \
            parameters, and prints no password: give yours in PGPASSWORD, in ~/.pgpass, or when psql asks.
            """)

    @OptionGroup(title: "Inventory") var inventory: InventoryOptions

    @Option(help: "Connect to the leader, which accepts writes, or to a replica.")
    var role: ClientConnection.Role = .leader

    @Option(help: "Print a psql command, a URI, a JDBC URL, or environment variables.")
    var format: ConnectionFormat?

    @Option(help: "The role to log in as. Default: the owner of the database.")
    var user: String?

    @Option(help: "The database. Default: the first of postgresql_databases.")
    var database: String?

    func run() async throws {
        try await Failure.explained {
            let connection = try ClientConnection(
                to: role, of: try await inventory.load().resolvingSecrets(), user: user, database: database)
            if format == nil, Terminal.isInteractive { Terminal.become("psql", with: [connection.keywords]) }
            for line in connection.lines(as: format ?? .uri) { Terminal.print(line) }
            if connection.verification == .nothing {
                Terminal.printError(
                    "the CA of your certificates is not in the inventory; add sslmode=verify-full and sslrootcert=FILE")
            }
            return .done
        }
    }
}

extension ClientConnection.Role: ExpressibleByArgument {}
extension ConnectionFormat: ExpressibleByArgument {}
