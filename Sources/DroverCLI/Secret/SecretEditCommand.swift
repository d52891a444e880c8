import ArgumentParser
import Engine
import UnixSignals
import Vault

/// `drover secret edit FILE`
struct SecretEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an encrypted file with $EDITOR; what comes out is encrypted as before.")

    @OptionGroup var vault: VaultOptions

    @Argument(help: "The file.")
    var file: String

    func run() async throws {
        try await Failure.explained {
            let target = try VaultFile(reading: file)
            let opened = try target.open(try await vault.passwords())
            let changed = try await Self.surviving { try await Editor.edit(opened.bytes, name: target.name) }
            if changed == opened.bytes {
                Terminal.printError("nothing was changed")
            } else {
                try target.write(changed, encryptedWith: opened.password, label: target.label)
            }
            return .done
        }
    }

    /// Runs `body` so that it can clean up: Ctrl-C is the editor's affair, and what ends programs ends it first.
    private static func surviving<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let work = Task { try await body() }
        let watch = Task {
            for await signal in signals where signal != .sigint { work.cancel() }
        }
        defer { watch.cancel() }
        return try await work.value
    }
}
