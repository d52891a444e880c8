import Diagnostics
public import Engine
import Secrets

/// Ensures that systemd runs a command at its times, by a timer and a service of the same name.
///
/// The timer is enabled and waits; the service is run by it alone. What the command says is in the journal of the service.
///
///     try Timer(
///         "old-web-logs", at: ["*-*-* 03:15"], within: 600, as: "www-data",
///         running: "/usr/bin/find /var/log/nginx -name *.gz -mtime +30 -delete")
public struct Timer: Resource {
    private let timer: String
    private let moments: [String]
    private let delay: Int
    private let catchesUp: Bool
    private let user: String
    private let command: String

    /// - Parameters:
    ///   - timer: the name of both units, without `.timer`.
    ///   - moments: as systemd writes them (`man systemd.time`, "Calendar events"): `*-*-* 03:15`, `Mon *-*-* 04:00`.
    ///   - delay: up to how many seconds later it may run, by chance, so that not all hosts do at once.
    ///   - catchesUp: whether a moment that passed while the host was off is made up for.
    ///   - user: who runs it.
    ///   - command: as systemd takes it in `ExecStart=`: a program with its absolute path, no shell.
    ///     Everybody on the host can read it.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(
        _ timer: String, at moments: [String], within delay: Int = 0, catchingUp catchesUp: Bool = true,
        as user: String = "root", running command: String
    ) throws {
        self.timer = timer
        self.moments = moments
        self.delay = delay
        self.catchesUp = catchesUp
        self.user = user
        self.command = command
        try UnitName.check(timer, of: name)
        guard !moments.isEmpty else {
            throw Diagnostic("\(name): it never runs", remedy: "name a moment, such as '*-*-* 03:15'")
        }
        for text in moments + [user, command] { try HostPath.checkLine(text, of: name) }
        guard command.wholeMatch(of: /[-@:+!|]*\/.*/) != nil else {
            throw Diagnostic("\(name): the command '\(command)' has no absolute path", remedy: "begin it with '/'")
        }
    }

    public var name: String { "timer \(timer)" }

    private var service: File {
        File(
            "/etc/systemd/system/\(timer).service",
            containing: MaskedText(
                """
                [Unit]
                Description=\(timer), run by \(timer).timer

                [Service]
                Type=oneshot
                User=\(user)
                ExecStart=\(command)

                """), checkedBy: Self.verification(as: "\(timer).service"))
    }

    private var clock: File {
        File(
            "/etc/systemd/system/\(timer).timer",
            containing: MaskedText(
                """
                [Unit]
                Description=Runs \(timer).service

                [Timer]
                \(moments.map { "OnCalendar=\($0)" }.joined(separator: "\n"))
                RandomizedDelaySec=\(delay)
                Persistent=\(catchesUp)

                [Install]
                WantedBy=timers.target

                """),
            checkedBy: "sh -c \(quoting: "systemd-analyze calendar \(words: moments) >/dev/null" as ShellText)")
    }

    private var files: [File] { [service, clock] }
    private var timerUnit: UnitStatus { UnitStatus("\(timer).timer") }
    private var serviceUnit: UnitStatus { UnitStatus("\(timer).service") }

    public var questions: [any Fact] { files.flatMap(\.questions) + [timerUnit, serviceUnit] }

    /// A timer that is running goes by its new moments as soon as systemd has read them, without being started anew.
    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try files.flatMap { try $0.changes(given: facts, after: pending) }
        let unit = ShellText.quoting(timerUnit.unit)
        let status = try facts[timerUnit]
        let isWritten = changes.contains { !$0.effects.isEmpty }
        if try isWritten || status.needsDaemonReload || facts[serviceUnit].needsDaemonReload {
            changes.append(
                Change("let systemd read the units of \(timer) again", script: "systemctl daemon-reload"))
        }
        if status.unitFile != "enabled" {
            changes.append(
                Change(
                    "enable \(timerUnit.unit)",
                    script: "keep_unit \(unit)\nsystemctl enable --quiet \(unit)"))
        }
        if status.active != "active" {
            changes.append(
                Change(
                    "start \(timerUnit.unit)", .create, script: "keep_unit \(unit)\nsystemctl start \(unit)",
                    effects: [.starts(timerUnit.unit)]))
        }
        return changes
    }

    /// systemd goes by the name of a unit's file, so it is shown the new one under the name that it will have. What other
    /// units lack is not this one's fault.
    private static func verification(as unit: String) -> ShellText {
        let test: ShellText = #"""
            folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cp "$2" "$folder/$1"
            systemd-analyze verify --man=no --recursive-errors=no "$folder/$1"
            """#
        return "sh -e -c \(quoting: test) verify \(quoting: unit)"
    }
}
