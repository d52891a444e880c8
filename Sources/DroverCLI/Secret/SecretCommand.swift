public import ArgumentParser

/// `drover secret`: what ansible-vault does with files of variables.
public struct SecretCommand: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "secret", abstract: "Encrypt, view and edit files as ansible-vault does; rotate secrets.",
            subcommands: [SecretEncryptCommand.self, SecretViewCommand.self, SecretEditCommand.self]
                + (Clusters.support?.secretCommands ?? []))
    }

    public init() {}
}
