import Engine
import Inventory
import SystemResources

/// Decides whether a leader that was paused, or whose Patroni hangs, can do harm.
struct FencingFindings {
    let configuration: ClusterConfiguration
    let observed: Observations

    /// The facts about a member.
    static let questions: [any Fact] =
        [
            PackageStatus("patroni"), UnitStatus("patroni.service"), UnitStatus("\(PatroniFence.unit).service"),
            FileStatus(watchdog),
        ] + PatroniCorrection.paths.map(FileStatus.init)

    private static let watchdog = "/dev/watchdog"

    var all: [Finding] {
        configuration.members.flatMap { node in
            let facts = observed[node.host]
            return [lock(node, facts), fence(node, facts), watchdog(node, facts)].compactMap(\.self)
        }
    }

    private func lock(_ node: Node, _ facts: Facts) -> Finding? {
        guard let version = facts.ifKnown(PackageStatus("patroni"))?.version else { return nil }
        let consequence =
            "\(node.name) runs Patroni \(version) without Drover's correction: as a leader that was paused it takes the "
            + "lock from its successor, and rows that this one has acknowledged are lost"
        switch LeaderLock(of: version) {
        case .safe: return nil
        case .faulty:
            return Finding(
                .patroniUncorrected, .critical, consequence, "install Patroni 3.0.3 or later on \(node.name)")
        case .correctable:
            return isCorrected(facts)
                ? nil
                : Finding(
                    .patroniUncorrected, .critical, consequence,
                    "apply deploy-cluster, or install Patroni 3.0.3 or later")
        }
    }

    /// Whether the running Patroni was started by the program that corrects it. Other drop-ins, which systemd may have to
    /// read yet, do not matter.
    private func isCorrected(_ facts: Facts) -> Bool {
        guard let unit = facts.ifKnown(UnitStatus("patroni.service")), unit.isRunning else { return true }
        return unit.dropIns.contains(PatroniCorrection.dropIn)
            && PatroniCorrection.paths.allSatisfy { path in
                guard let file = facts.ifKnown(FileStatus(path)), let attributes = file, let started = unit.started
                else { return false }
                return attributes.modified <= started
            }
    }

    private func fence(_ node: Node, _ facts: Facts) -> Finding? {
        guard let unit = facts.ifKnown(UnitStatus("\(PatroniFence.unit).service")), unit.active != "active" else {
            return nil
        }
        return Finding(
            .fenceDown, .warning,
            "the fence of \(node.name) does not run: while Patroni hangs there, PostgreSQL accepts writes beside a new leader",
            "apply deploy-cluster; if it runs and fails, look at `journalctl --unit=\(PatroniFence.unit)`")
    }

    private func watchdog(_ node: Node, _ facts: Facts) -> Finding? {
        guard let device = facts.ifKnown(FileStatus(Self.watchdog)), device?.owner != "postgres" else { return nil }
        switch configuration.patroni.watchdog {
        case .off: return nil
        case .automatic:
            // Where there is none, the fence stands in for it.
            return device.map { device in
                Finding(
                    .watchdogMissing, .warning,
                    "the watchdog of \(node.name) is not used: \(Self.watchdog) belongs to \(device.owner), not to postgres",
                    "restart Patroni on \(node.name): it gets the device when it starts")
            }
        case .required:
            return Finding(
                .watchdogMissing, .critical,
                "\(node.name) cannot lead: patroni_watchdog_mode is required, and "
                    + (device == nil ? "there is no \(Self.watchdog)" : "\(Self.watchdog) does not belong to postgres"),
                "load the module of a watchdog, such as softdog, and restart Patroni; or set patroni_watchdog_mode: automatic"
            )
        }
    }
}
