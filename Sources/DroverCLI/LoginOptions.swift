import ArgumentParser
import Engine
import Inventory
import NIOPosix
import Secrets

/// How hosts are logged in to, and as whom the work is done there.
struct LoginOptions: ParsableArguments {
    @Option(name: .long, help: "The user to log in as, where the inventory names none.")
    var user: String?

    @Option(name: .long, help: "The private key to log in with, where the inventory names none.")
    var privateKey: String?

    @Option(name: .long, help: "The known hosts file, instead of those of the inventory and of the user.")
    var knownHosts: String?

    @Flag(help: "Trust hosts that no known hosts file names, and add their keys to it; changed keys are refused.")
    var acceptNewHostKeys = false

    @Flag(name: [.customShort("k"), .long], help: "Ask for the password of the login.")
    var askPass = false

    @Flag(name: [.customShort("b"), .long], help: "Work as root, or as --become-user, by sudo.")
    var become = false

    @Option(name: .long, help: "The user to work as, where the inventory names none.")
    var becomeUser: String?

    @Flag(name: [.customShort("K"), .long], help: "Ask for the password that sudo wants; empty for that of the login.")
    var askBecomePass = false

    /// These options, and those that were saved where these say nothing.
    func completed(by saved: LoginOptions) -> LoginOptions {
        var result = self
        result.user = user ?? saved.user
        result.privateKey = privateKey ?? saved.privateKey
        result.knownHosts = knownHosts ?? saved.knownHosts
        result.acceptNewHostKeys = acceptNewHostKeys || saved.acceptNewHostKeys
        result.askPass = askPass || saved.askPass
        result.become = become || saved.become
        result.becomeUser = becomeUser ?? saved.becomeUser
        result.askBecomePass = askBecomePass || saved.askBecomePass
        return result
    }

    /// How the hosts of the inventory are reached. Asks the person for what is secret, before any host is contacted.
    ///
    /// - Throws: `Diagnostic` when a passphrase is wrong, or is needed without a terminal to ask at.
    func settings(for inventory: Inventory) async throws -> ConnectionSettings {
        var settings = ConnectionSettings(
            user: user, keyFile: privateKey, knownHostsFile: knownHosts,
            eventLoops: MultiThreadedEventLoopGroup.singleton)
        if acceptNewHostKeys { settings.onNewHostKey = { Terminal.noteForTheEnd($0) } }
        settings.becomes = become
        settings.becomeUser = becomeUser
        if askPass { settings.password = try Terminal.askSecret("Password of the login: ") }
        if askBecomePass {
            let answer = try Terminal.askSecret("Password for sudo: ")
            settings.becomePassword = answer.reveal().isEmpty ? settings.password : answer
        }
        try await settings.unlock(keysOf: inventory.hosts) { file in
            guard Terminal.hasKeyboard else { return nil }
            let answer = try Terminal.askSecret("Passphrase of \(file): ")
            return answer.reveal().isEmpty ? nil : answer
        }
        return settings
    }
}
