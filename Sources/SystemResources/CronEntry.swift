import Diagnostics
public import Engine
import Secrets

/// Ensures that cron runs a command at its times, by a file of its own in `/etc/cron.d`.
///
/// cron notices the file by itself. Of a host without it, the package `cron` is to be declared too.
///
///     try CronEntry("rotate-web-logs", at: "15 3 * * *", as: "www-data", running: "/usr/local/bin/rotate-web-logs")
public struct CronEntry: Resource {
    private let entry: String
    private let user: String
    private let command: ShellText
    private let schedule: CronSchedule

    /// - Parameters:
    ///   - entry: the name of the file: letters, digits, hyphens and underscores, for cron leaves all others out.
    ///   - schedule: five fields, or a word such as `@daily`.
    ///   - user: who runs it.
    ///   - command: one line for `sh`. A per cent sign is one: what cron wants before it is written by this resource.
    ///     Everybody on the host can read it.
    /// - Throws: `Diagnostic` when cron would not take it.
    public init(_ entry: String, at schedule: String, as user: String = "root", running command: ShellText) throws {
        let name = "cron entry \(entry)"
        self.entry = entry
        self.user = user
        self.command = command
        self.schedule = try CronSchedule(schedule, of: name)
        guard entry.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw Diagnostic(
                "\(name): cron leaves out a file of this name",
                remedy: "use letters, digits, hyphens and underscores only")
        }
        guard user.wholeMatch(of: /[A-Za-z0-9_.][A-Za-z0-9_.-]*/) != nil else {
            throw Diagnostic("\(name): '\(user)' is no name of a user")
        }
        guard command.reveal().contains(where: { !$0.isWhitespace }) else {
            throw Diagnostic("\(name): there is no command")
        }
        try HostPath.checkLine(command.reveal(), of: name)
    }

    public var name: String { "cron entry \(entry)" }

    private var file: File {
        var text = MaskedText("\(schedule.text) \(user) ")
        for piece in command.masked.pieces {
            switch piece {
            case .plain(let plain): text.append(Self.escaped(plain))
            case .secret(let secret): text.append(Secret(Self.escaped(secret.reveal())))
            }
        }
        text.append("\n")
        return File("/etc/cron.d/\(entry)", containing: text)
    }

    private static func escaped(_ text: String) -> String { text.replacing("%", with: #"\%"#) }

    public var questions: [any Fact] { file.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try file.changes(given: facts, after: pending)
    }
}
