public import ArgumentParser
import Diagnostics
import Engine

/// The options that say where a recovery ends.
public struct RecoveryOptions: ParsableArguments, Sendable {
    @Option(help: "Recover to this moment, with its zone: '2026-11-22 15:04:05+01:00'.")
    public var targetTime: String?

    @Option(help: "Recover to this position in the log, such as 16/B374D848.")
    public var targetLsn: String?

    @Option(help: "Recover to the end of the transaction of this number.")
    public var targetXid: String?

    @Option(help: "Recover to a restore point by the name that pg_create_restore_point was given.")
    public var targetName: String?

    @Flag(help: "Recover to the end of the backup.")
    public var immediate = false

    @Flag(help: "Recover to the end of the archive.")
    public var latest = false

    @Flag(help: "Stop just before the time, position or transaction, and not just behind it.")
    public var exclusive = false

    @Option(help: "The timeline on which the target lies; the cluster's own unless told otherwise.")
    public var targetTimeline: Int?

    @Option(help: "The label of the backup to begin with; the newest that leads to the target unless told otherwise.")
    public var backup: String?

    public init() {}

    /// - Returns: nil when no target is given.
    /// - Throws: `Diagnostics` with everything that is wrong with the options; `Refusal` for a time without a zone.
    public func target() throws -> RecoveryTarget? {
        var faults = Diagnostics()
        var points: [(option: String, point: RecoveryTarget.Point?)] = []
        if let targetTime { points.append(("--target-time", .time(try moment(targetTime, &faults)))) }
        if let targetLsn {
            let position = LogPosition(targetLsn)
            if position == nil {
                faults.report(
                    "--target-lsn '\(targetLsn)' is no position in the log", remedy: "write it like 16/B374D848")
            }
            points.append(("--target-lsn", position.map { .position($0) }))
        }
        if let targetXid {
            let number = UInt64(targetXid).flatMap { $0 > 2 ? $0 : nil }
            if number == nil {
                faults.report(
                    "--target-xid '\(targetXid)' is no number of a transaction",
                    remedy: "write a number, as pg_current_xact_id() tells it")
            }
            points.append(("--target-xid", number.map { .transaction($0) }))
        }
        if let targetName {
            if targetName.isEmpty || targetName.utf8.count > 63
                || targetName.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            {
                faults.report(
                    "--target-name '\(targetName)' is no name of a restore point", remedy: "give it as it was made")
            }
            points.append(("--target-name", .name(targetName)))
        }
        if immediate { points.append(("--immediate", .immediate)) }
        if latest { points.append(("--latest", .latest)) }
        if points.count > 1 {
            faults.report(
                "\(points.map(\.option).joined(separator: " and ")) are more than one target",
                remedy: "give one of them")
        }
        let isPlace = [targetTime, targetLsn, targetXid].contains { $0 != nil }
        if exclusive, !isPlace {
            faults.report(
                "--exclusive says something only of a time, a position or a transaction", remedy: "leave it out")
        }
        if let targetTimeline, targetTimeline < 1 {
            faults.report(
                "--target-timeline \(targetTimeline): timelines are counted from 1", remedy: "name one of these")
        }
        if points.isEmpty, targetTimeline != nil || backup != nil {
            faults.report("--target-timeline and --backup do not say where the recovery ends", remedy: "add a target")
        }
        try faults.throwIfAny()
        guard let point = points.first?.point else { return nil }
        return RecoveryTarget(point, isExclusive: exclusive, timeline: targetTimeline, backup: backup)
    }

    /// A time without a zone is a guard's matter: the program would have to guess, and what is lost depends on it.
    private func moment(_ text: String, _ faults: inout Diagnostics) throws -> Moment {
        do {
            return try Moment(text)
        } catch .zone {
            throw Refusal(
                "--target-time '\(text)' does not say in which zone",
                remedies: ["write the offset of its clock from UTC, as in '2026-11-22 15:04:05+01:00', or Z for UTC"])
        } catch .form {
            faults.report(
                "--target-time '\(text)' is no moment", remedy: "write it like '2026-11-22 15:04:05.25+01:00'")
            return Moment(microseconds: 0)
        }
    }
}
