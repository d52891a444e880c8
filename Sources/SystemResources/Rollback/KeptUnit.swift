import Engine
import Secrets

/// Ensures that a systemd unit is enabled and running as it was before a run, and reads the files that were brought back.
struct KeptUnit: Resource {
    let before: Journal.Unit
    /// Those of the files that it reads only when it starts which come back.
    let restartingFiles: [String]
    /// Those of the files that it reads again when it reloads which come back.
    let reloadingFiles: [String]

    init(_ before: Journal.Unit, reading files: Set<String>) {
        self.before = before
        restartingFiles = before.restartingFiles.filter(files.contains)
        reloadingFiles = before.reloadingFiles.filter(files.contains)
    }

    var name: String { "unit \(before.name)" }

    var questions: [any Fact] {
        [UnitStatus(before.name)] + (restartingFiles + reloadingFiles).map(FileStatus.init)
    }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let status = try facts[UnitStatus(before.name)]
        var changes: [Change] = []
        if status.needsDaemonReload || pending.writesFile(under: "/etc/systemd/system/\(before.name)") {
            changes.append(
                Change("let systemd read the unit of \(before.name) again", script: "systemctl daemon-reload"))
        }
        switch (before.unitFile, status.unitFile) {
        case ("enabled", "disabled"): changes.append(order("enable"))
        case ("disabled", "enabled"): changes.append(order("disable"))
        default: break
        }
        switch (UnitStatus.isRunning(before.active), status.isRunning) {
        case (true, false): changes.append(order("start"))
        case (false, true): changes.append(order("stop"))
        case (true, true):
            if try facts.hasNewer(restartingFiles, than: status.started, after: pending) {
                changes.append(order("restart"))
            } else if try facts.hasNewer(reloadingFiles, than: status.changedState, after: pending) {
                changes.append(order("reload"))
            }
        case (false, false): break
        }
        return changes
    }

    private func order(_ verb: String) -> Change {
        let unit = ShellText.quoting(before.name)
        return Change(
            "\(verb) \(before.name)", .init(systemctl: verb),
            script: "keep_unit \(unit)\nsystemctl \(quoting: verb) \(unit)",
            effects: ["start", "restart"].contains(verb) ? [.starts(before.name)] : [],
            isDisturbing: ["stop", "restart", "reload"].contains(verb))
    }
}
