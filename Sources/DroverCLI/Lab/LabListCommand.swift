import ArgumentParser
import Lab

/// `drover lab list`
struct LabListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the hosts of a lab.")

    @OptionGroup var options: LabOptions

    func run() async throws { try await Self.printHosts(of: options.lab) }

    static func printHosts(of lab: Lab) async throws {
        for host in try await lab.list() {
            Terminal.print([host.name, host.address, host.state.rawValue].joined(separator: "\t"))
        }
    }
}
