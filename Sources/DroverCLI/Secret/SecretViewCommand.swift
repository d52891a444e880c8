import ArgumentParser
import Engine
import SystemPackage
import Vault

/// `drover secret view FILE`
struct SecretViewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Print what is encrypted in files; they stay encrypted.")

    @OptionGroup var vault: VaultOptions

    @Argument(help: "The files.")
    var files: [String]

    func run() async throws {
        try await Failure.explained {
            let encrypted = try files.map { try VaultFile(reading: $0) }
            let passwords = try await vault.passwords()
            for opened in try encrypted.map({ try $0.open(passwords) }) {
                try FileDescriptor.standardOutput.writeAll(opened.bytes)
            }
            return .done
        }
    }
}
