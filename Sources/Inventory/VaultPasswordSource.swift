public import Diagnostics
import FoundationEssentials
public import Secrets
import Subprocess
import SystemPackage
public import Vault
import YAML

/// Where a password for what ansible-vault has encrypted comes from.
///
/// Source: ansible-core 2.19, `get_file_vault_secret` and `split_vault_id` in parsing/vault and cli.
public struct VaultPasswordSource: Hashable, Sendable {
    /// Which texts the password is for; nil for any.
    public let label: String?
    /// The file that holds it, or the program that prints it; nil to ask the person.
    public let file: String?

    public init(file: String?) {
        label = nil
        self.file = file
    }

    /// - Parameter text: `LABEL@FILE` or `LABEL@prompt`, as `--vault-id` takes it.
    /// - Throws: a `Diagnostic` when that is not its form.
    public init(id text: String) throws(Diagnostic) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let source = parts.last, !source.isEmpty,
            !parts[0].contains(where: { $0 == ";" || $0.isWhitespace || $0.isNewline })
        else {
            throw Diagnostic(
                "--vault-id \(text): no password comes from there", remedy: "write LABEL@FILE or LABEL@prompt")
        }
        label = parts.count == 2 && !parts[0].isEmpty ? parts[0] : nil
        file = source == "prompt" ? nil : source
    }

    /// The password, without white space around it.
    ///
    /// - Parameter ask: asks the person, with the question it is given.
    /// - Throws: a `Diagnostic` when it cannot be had, or is empty.
    public func read(ask: (String) throws -> Secret) async throws -> VaultPasswords.Password {
        let text: String
        let what: String
        switch file {
        case nil:
            what = "the vault password"
            text = try ask("Vault password\(label.map { " (\($0))" } ?? ""): ").reveal()
        case let file? where FileManager.default.isExecutableFile(atPath: file):
            what = "the vault password program '\(file)'"
            // Programs of such names are told which password is wanted.
            let name = file.split(separator: "/").last?.split(separator: ".").first ?? ""
            let arguments = name.hasSuffix("-client") ? ["--vault-id", label ?? "default"] : []
            text = try await CommandOutput.of(
                .path(FilePath(file.contains("/") ? file : "./" + file)), arguments, called: what, at: nil)
        case let file?:
            what = "the vault password file '\(file)'"
            text = try TextFile.read(file)
        }
        let password = text.trimmed
        guard !password.isEmpty else { throw Diagnostic("\(what) is empty") }
        return VaultPasswords.Password(label: label, Secret(String(password)))
    }
}
