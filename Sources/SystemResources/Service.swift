public import Engine
import Secrets

/// Ensures that a systemd service is enabled and running, and runs with the configuration that is on the disk.
///
/// Whether a restart or a reload is due is observed and not remembered: a service that was started before one of its
/// files was last written is due, whichever run wrote the file. So no interrupted run loses a restart.
///
///     Service("haproxy", restartedBy: ["/etc/default/haproxy"], reloadedBy: ["/etc/haproxy/haproxy.cfg"])
public struct Service: Resource {
    private let unit: String
    private let restartingFiles: [String]
    private let reloadingFiles: [String]
    private let waitsForStart: Bool
    private let gentleRestart: GentleRestart?

    /// A restart that spares what `systemctl restart` would stop along with the service.
    public struct GentleRestart: Sendable {
        let summary: String
        let script: ShellText

        /// - Parameters:
        ///   - summary: what the plan calls it: `restart patroni, without PostgreSQL`.
        ///   - script: restarts the main process of the unit, or fails.
        public init(_ summary: String, script: ShellText) {
            self.summary = summary
            self.script = script
        }
    }

    /// - Parameters:
    ///   - service: the name without `.service`.
    ///   - restartingFiles: files that the service reads only when it starts.
    ///   - reloadingFiles: files that the service reads again when it reloads.
    ///   - gentleRestart: how the service is restarted when not by `systemctl restart`.
    ///   - waitsForStart: false for a service that is ready only when its peers on other hosts are started too; a
    ///     `Condition` then waits for it.
    public init(
        _ service: String, restartedBy restartingFiles: [String] = [], reloadedBy reloadingFiles: [String] = [],
        gentleRestart: GentleRestart? = nil, waitsForStart: Bool = true
    ) {
        self.unit = service + ".service"
        self.restartingFiles = restartingFiles
        self.reloadingFiles = reloadingFiles
        self.gentleRestart = gentleRestart
        self.waitsForStart = waitsForStart
    }

    public var name: String { "service \(unit.dropLast(".service".count))" }

    public var questions: [any Fact] {
        [UnitStatus(unit)] + (restartingFiles + reloadingFiles).map(FileStatus.init)
    }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let status = try facts[UnitStatus(unit)]
        var changes: [Change] = []
        if status.needsDaemonReload || pending.writesFile(under: "/etc/systemd/system/\(unit)") {
            changes.append(Change("let systemd read the unit of \(short) again", script: "systemctl daemon-reload"))
        }
        if !Service.enabledStates.contains(status.unitFile) {
            let quoted = ShellText.quoting(unit)
            let unmask: ShellText = status.unitFile.hasPrefix("masked") ? "systemctl unmask --quiet \(quoted)\n" : ""
            changes.append(
                Change(
                    "enable \(short)",
                    script: "\(keeping)\n\(unmask)systemctl enable --quiet \(quoted)"))
        }
        if let change = try runChange(from: status, facts, pending) { changes.append(change) }
        return changes
    }

    /// States in which the unit is started at boot, or cannot be enabled because something else starts it.
    private static let enabledStates: Set = ["enabled", "static", "alias", "indirect", "generated"]

    private func runChange(
        from status: UnitStatus.Answer, _ facts: Facts, _ pending: PendingEffects
    ) throws -> Change? {
        guard status.isRunning || (status.active == "activating" && !waitsForStart) else {
            return order("start", clearing: status.active == "failed")
        }
        if try facts.hasNewer(restartingFiles, than: status.started, after: pending) {
            return gentleRestart.map(change) ?? order("restart")
        }
        let isBehind = try facts.hasNewer(reloadingFiles, than: status.changedState, after: pending)
        if isBehind || (status.failedToReload && !reloadingFiles.isEmpty) { return order("reload") }
        return nil
    }

    private func change(_ restart: GentleRestart) -> Change {
        Change(
            restart.summary, .restart, script: "\(keeping)\n\(agreeing)\n\(restart.script)", effects: [.starts(unit)])
    }

    private func order(_ verb: String, clearing: Bool = false) -> Change {
        let quoted = ShellText.quoting(unit)
        // Queueing a restart would return while the old process still answers; what is stopped first cannot.
        let command: ShellText =
            waitsForStart || verb == "reload"
            ? "systemctl \(quoting: verb) \(quoted)"
            : "\(verb == "restart" ? "systemctl stop \(quoted) && " : "")systemctl start --no-block \(quoted)"
        return Change(
            "\(verb) \(short)", .init(systemctl: verb),
            script: """
                \(keeping)
                \(verb == "start" ? ":" : agreeing)
                \(clearing ? "systemctl reset-failed \(quoted)" : ":")
                \(command) || {
                    echo "the last lines of the journal of \(inDoubleQuotes: unit):"
                    journalctl --unit=\(quoted) --lines=20 --no-pager --output=cat
                    exit 1
                }
                """,
            effects: verb == "reload" ? [] : [.starts(unit)], isDisturbing: verb != "start")
    }

    /// Writes down the state of the unit, and which files it reads: a rollback of those makes it read them again.
    private var keeping: ShellText {
        let files = restartingFiles.map { "restart:\($0)" } + reloadingFiles.map { "reload:\($0)" }
        return "keep_unit \(words: [unit] + files)"
    }

    /// Brings files from the future, as a clock that was ahead leaves them, to the present: the service would seem to be
    /// older than they are for ever.
    private var agreeing: ShellText {
        let files = restartingFiles + reloadingFiles
        return files.isEmpty
            ? ":" : "find \(words: files) -maxdepth 0 -newermt now -exec touch -- {} + 2>/dev/null || :"
    }

    private var short: Substring { unit.dropLast(".service".count) }
}
