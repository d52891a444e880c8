public import Engine

/// What systemd knows of a unit.
public struct UnitStatus: Fact {
    /// The state of a unit.
    public struct Answer: Hashable, Sendable {
        /// `active`, `inactive`, `failed`, `activating` …
        public var active: String
        /// `enabled`, `disabled`, `static` …; empty when there is no unit file.
        public var unitFile: String
        /// The unit file that systemd has read; empty when there is none.
        public var path: String
        /// The drop-ins that systemd has read, by their paths.
        public var dropIns: Set<String>
        /// Whether the unit's files on disk are newer than what systemd has read of them.
        public var needsDaemonReload: Bool
        /// When the main process was started, or nil when it never was.
        public var started: Timestamp?
        /// When the unit last changed its state, which a start does, and a reload too: it passes through
        /// `reloading`. Unlike the reload command's own times, this one is told to the microsecond.
        public var changedState: Timestamp?
        /// Whether the last reload failed, so that the service still has what it read before.
        public var failedToReload: Bool

        public init(
            active: String, unitFile: String, path: String = "", dropIns: Set<String> = [],
            needsDaemonReload: Bool = false,
            started: Timestamp? = nil, changedState: Timestamp? = nil, failedToReload: Bool = false
        ) {
            self.active = active
            self.unitFile = unitFile
            self.path = path
            self.dropIns = dropIns
            self.needsDaemonReload = needsDaemonReload
            self.started = started
            self.changedState = changedState
            self.failedToReload = failedToReload
        }

        /// Whether it runs, also while it reloads.
        public var isRunning: Bool { UnitStatus.isRunning(active) }
    }

    /// Whether a unit in a state runs: a daemon that tells systemd of its reloads is `reloading` for a moment.
    static func isRunning(_ state: String) -> Bool { ["active", "reloading"].contains(state) }

    public let unit: String

    /// - Parameter unit: the full name, such as `haproxy.service`.
    public init(_ unit: String) {
        self.unit = unit
    }

    private static let properties = [
        "ActiveState", "UnitFileState", "FragmentPath", "LoadState", "NeedDaemonReload", "DropInPaths",
        "ExecMainStartTimestamp",
        "StateChangeTimestamp", "ReloadResult",
    ]

    /// Where the drop-ins of a unit are that somebody has made on this host.
    private var dropIns: String { "/etc/systemd/system/\(unit).d/" }

    /// Of a unit that it has loaded systemd does not see that it got its first drop-in (systemd 252: it looks for the directory
    /// in what it remembers of the disk, and `NeedDaemonReload` says no). So it is compared what is on the disk.
    public static func script(for questions: [UnitStatus]) -> ShellText {
        let files = questions.map { "\(quoting: $0.dropIns)*.conf" as ShellText }.joined(separator: " ")
        return """
            if [ -d /run/systemd/system ]; then
                for file in \(files); do [ ! -e "$file" ] || echo "drop-in $file"; done
                systemctl show --timestamp=us+utc --property=\(quoting: properties.joined(separator: ",")) -- \(words: questions.map(\.unit))
            else
                echo 'no systemd'
            fi
            """
    }

    /// The answers stand in the order of the questions, with an empty line between two units.
    public static func answers(to questions: [UnitStatus], from output: String) throws -> [UnitStatus: Answer] {
        if output.hasPrefix("no systemd") { throw MissingSystemd(units: questions.map(\.unit)) }
        var answers: [Answer] = []
        var values: [Substring: Substring] = [:]
        var files: [Substring] = []
        func isUnread(_ file: Substring) -> Bool {
            guard answers.count < questions.count, file.hasPrefix(questions[answers.count].dropIns) else {
                return false
            }
            return values["LoadState"] == "loaded" && values["DropInPaths"]?.contains(file) == false
        }
        func take() {
            answers.append(
                Answer(
                    active: String(values["ActiveState"] ?? ""),
                    unitFile: String(values["UnitFileState"] ?? ""),
                    path: String(values["FragmentPath"] ?? ""),
                    dropIns: Set((values["DropInPaths"] ?? "").split(separator: " ").map(String.init)),
                    needsDaemonReload: values["NeedDaemonReload"] == "yes" || files.contains(where: isUnread),
                    started: values["ExecMainStartTimestamp"].flatMap { Timestamp(systemd: $0) },
                    changedState: values["StateChangeTimestamp"].flatMap { Timestamp(systemd: $0) },
                    failedToReload: values["ReloadResult"].map { $0 != "success" } ?? false))
            values = [:]
        }
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("drop-in ") {
                files.append(line.dropFirst("drop-in ".count))
            } else if let equals = line.firstIndex(of: "=") {
                values[line[..<equals]] = line[line.index(after: equals)...]
            } else if !values.isEmpty {
                take()
            }
        }
        if !values.isEmpty { take() }
        guard answers.count == questions.count else { throw UnreadableAnswer(UnitStatus.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}
