public import Engine
import Secrets

/// Ensures that a systemd unit does not run, and is not started at boot.
///
///     StoppedService("apt-daily.timer", atBoot: .masked)
public struct StoppedService: Resource {
    /// What happens to the unit when the host boots.
    public enum AtBoot: Sendable {
        /// What happened before: it may be started.
        case asBefore
        /// It is not started for its own sake; another unit may still want it.
        case disabled
        /// Nothing can start it, by hand neither.
        case masked
    }

    private let unit: String
    private let atBoot: AtBoot

    /// - Parameter service: the name without `.service`, or the full name of a unit of another kind: `apt-daily.timer`.
    ///   It need not exist.
    public init(_ service: String, atBoot: AtBoot = .disabled) {
        let kinds = [".service", ".timer", ".socket", ".path", ".mount", ".automount", ".target"]
        unit = kinds.contains(where: service.hasSuffix) ? service : service + ".service"
        self.atBoot = atBoot
    }

    public var name: String { "stopped \(short)" }

    public var questions: [any Fact] { [UnitStatus(unit)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let status = try facts[UnitStatus(unit)]
        var changes: [Change] = []
        if !["inactive", "failed"].contains(status.active) { changes.append(order("stop")) }
        switch atBoot {
        case .disabled where ["enabled", "enabled-runtime"].contains(status.unitFile): changes.append(order("disable"))
        case .masked where status.unitFile != "masked": changes.append(order("mask"))
        case .asBefore, .disabled, .masked: break
        }
        return changes
    }

    private func order(_ verb: String) -> Change {
        let quoted = ShellText.quoting(unit)
        let quiet: ShellText = verb == "stop" ? "" : " --quiet"
        return Change(
            "\(verb) \(short)", .init(systemctl: verb),
            script: "keep_unit \(quoted)\nsystemctl \(quoting: verb)\(quiet) \(quoted)",
            isDisturbing: verb == "stop")
    }

    private var short: String { unit.hasSuffix(".service") ? String(unit.dropLast(".service".count)) : unit }
}
