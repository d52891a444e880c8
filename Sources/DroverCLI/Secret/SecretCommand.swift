public import ArgumentParser

/// `drover secret`: what ansible-vault does with files of variables.
public struct SecretCommand: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        let more = Clusters.support?.secretCommands ?? []
        return CommandConfiguration(
            commandName: "secret",
            abstract: "Encrypt, view and edit files as ansible-vault does\(more.isEmpty ? "" : "; rotate secrets").",
            subcommands: [SecretEncryptCommand.self, SecretViewCommand.self, SecretEditCommand.self] + more)
    }

    public init() {}
}
