import ArgumentParser
import Diagnostics
import Engine
import FoundationEssentials
import SystemPackage
import Vault

/// `drover secret encrypt FILE`
struct SecretEncryptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt files where they are; '-' encrypts the standard input.",
        discussion: """
            What comes out for '-' is the value of an inline '!vault |', to be indented below it. With --vault-id \
            LABEL@SOURCE the label is written down with the text.
            """)

    @OptionGroup var vault: VaultOptions

    @Argument(help: "The files, or '-'.")
    var files: [String]

    func run() async throws {
        try await Failure.explained {
            let passwords = try await vault.passwords(isNew: true).all
            guard let password = passwords.first, passwords.count == 1 else {
                throw Diagnostic(
                    passwords.isEmpty ? "there is no password to encrypt with" : "there are several passwords",
                    remedy: "give one by '--vault-password-file FILE', '--ask-vault-pass' or '--vault-id LABEL@FILE'")
            }
            var diagnostics = Diagnostics()
            for file in files { try diagnostics.collect { try encrypt(file, with: password) } }
            try diagnostics.throwIfAny()
            return .done
        }
    }

    private func encrypt(_ file: String, with password: VaultPasswords.Password) throws {
        guard file != "-" else {
            let bytes = try FileDescriptor.standardInput.bytesToEnd()
            Terminal.write(TerminalText(try VaultFile.text(of: bytes, password).description), to: .standardOutput)
            return
        }
        let target = try VaultFile(reading: file)
        guard !target.isEncrypted else {
            throw Diagnostic("'\(file)' is encrypted already", remedy: "change it by 'drover secret edit \(file)'")
        }
        try target.write(target.bytes, encryptedWith: password)
    }
}
