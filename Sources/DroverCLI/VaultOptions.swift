import ArgumentParser
import Diagnostics
import FoundationEssentials
import Inventory
import Vault

/// By which passwords what ansible-vault has encrypted is opened; the options are Ansible's.
struct VaultOptions: ParsableArguments {
    @Option(
        name: [.customLong("vault-password-file"), .customLong("vault-pass-file")],
        help: "The file with the password of what ansible-vault has encrypted, or a program that prints it.")
    var passwordFiles: [String] = []

    @Flag(
        name: [.customShort("J"), .customLong("ask-vault-pass"), .customLong("ask-vault-password")],
        help: "Ask for the password of what ansible-vault has encrypted.")
    var asks = false

    @Option(
        name: .customLong("vault-id"),
        help: ArgumentHelp("Where one of several passwords comes from: LABEL@FILE or LABEL@prompt.", valueName: "id"))
    var ids: [String] = []

    /// Where the passwords come from, in the order in which they are tried.
    ///
    /// - Throws: `Diagnostics` with every option that names no source.
    var sources: [VaultPasswordSource] {
        get throws {
            var diagnostics = Diagnostics()
            let named = try ids.compactMap { id in try diagnostics.collect { try VaultPasswordSource(id: id) } }
            try diagnostics.throwIfAny()
            let sources =
                named + passwordFiles.map { VaultPasswordSource(file: $0) }
                + (asks ? [VaultPasswordSource(file: nil)] : [])
            // As Ansible has it.
            let customary = ProcessInfo.processInfo.environment["ANSIBLE_VAULT_PASSWORD_FILE", default: ""]
            return sources.isEmpty && !customary.isEmpty ? [VaultPasswordSource(file: customary)] : sources
        }
    }

    /// Reads the passwords, and asks the person for those that are to be asked for.
    ///
    /// - Parameter isNew: whether something is to be encrypted: then what is typed must be typed twice.
    /// - Throws: `Diagnostics` with every one that cannot be had.
    func passwords(isNew: Bool = false) async throws -> VaultPasswords {
        var diagnostics = Diagnostics()
        var passwords: [VaultPasswords.Password] = []
        for source in try sources {
            do {
                passwords.append(
                    try await source.read { question in
                        let answer = try Terminal.askSecret(question)
                        if isNew, try Terminal.askSecret("The same again: ") != answer {
                            throw Diagnostic("the two passwords differ")
                        }
                        return answer
                    })
            } catch let diagnostic as Diagnostic {
                diagnostics.report(diagnostic)
            }
        }
        try diagnostics.throwIfAny()
        return VaultPasswords(passwords)
    }
}
