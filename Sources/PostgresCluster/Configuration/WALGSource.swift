import Diagnostics
import Inventory

/// The backup of another cluster, made by WAL-G, with which a new one begins.
public struct WALGSource: Sendable, Equatable {
    /// `wal_g_source_json`, in the place of settings of `wal_g_json`: how that cluster's backups are reached.
    public let options: [WALGOption]
    /// `wal_g_restore_backup_name`; nil for the newest.
    public let label: String?
    /// `wal_g_restore_target_time`; nil for the end of the archive.
    public let moment: Moment?
    /// The same as it was written.
    let target: String?
    /// `wal_g_restore_immediate`: up to the end of the backup.
    public let isImmediate: Bool
    /// `wal_g_restore_target_timeline`.
    public let timeline: String

    static let newest = "LATEST"

    /// How PostgreSQL recovers, by its parameters but for the command that fetches a segment.
    var recovery: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = [
            ("recovery_target_action", "promote"), ("recovery_target_timeline", timeline),
        ]
        if let target { parameters.append(("recovery_target_time", target)) }
        if isImmediate { parameters.append(("recovery_target", "immediate")) }
        return parameters
    }
}

extension Variables {
    /// The backup with which a new cluster begins; nil when it begins with nothing, or when a fault was reported.
    ///
    /// - Parameters:
    ///   - options: how the cluster's own backups are reached.
    ///   - elsewhere: what else it would begin with.
    mutating func walgSource(beside options: [WALGOption]?, elsewhere: [String]) -> WALGSource? {
        let method: BackupSource.Method = optional("patroni_cluster_bootstrap_method") ?? .initdb
        let given: WALGOptions? = optional("wal_g_source_json")
        let label = text("wal_g_restore_backup_name")
        let target = text("wal_g_restore_target_time")
        let isImmediate = optional("wal_g_restore_immediate") ?? false
        let timeline = text("wal_g_restore_target_timeline") ?? "latest"
        guard method == .walG else { return nil }
        let place = location(of: "patroni_cluster_bootstrap_method")
        reportBeginnings(besides: elsewhere, at: place)
        guard let options else {
            diagnostics.report(
                "a cluster cannot begin with a backup of WAL-G without WAL-G", at: place,
                remedy: "set wal_g_install to true")
            return nil
        }
        let places = Set(WALGOption.prefixes)
        let own = options.first { places.contains($0.name) }
        guard let given, let theirs = given.options.first(where: { places.contains($0.name) }), theirs != own else {
            diagnostics.report(
                "nothing says with whose backup the cluster begins", at: location(of: "wal_g_source_json") ?? place,
                remedy: "write the other cluster's prefix into wal_g_source_json, such as "
                    + "{ \(own?.name ?? "WALG_S3_PREFIX"): … }; its own backups go to another place")
            return nil
        }
        var moment: Moment?
        if let target {
            do { moment = try Moment(target) } catch {
                diagnostics.report(
                    "'\(target)' is no moment with a zone", at: location(of: "wal_g_restore_target_time"),
                    remedy: "write it like 2026-11-22 15:04:05+01:00")
            }
            if label ?? WALGSource.newest == WALGSource.newest {
                diagnostics.report(
                    "WAL-G does not look for the backup that leads to a time",
                    at: location(of: "wal_g_restore_target_time"),
                    remedy: "name one with wal_g_restore_backup_name, as `drover backup list` of that cluster shows it")
            }
            if isImmediate {
                diagnostics.report(
                    "a cluster begins with the end of a backup, or with a time",
                    at: location(of: "wal_g_restore_immediate"),
                    remedy: "take one of them out")
            }
        }
        if let label, label.wholeMatch(of: /LATEST|base_[0-9A-F]{24}(_D_[0-9A-F]{24})?/) == nil {
            diagnostics.report(
                "'\(label)' is no backup of WAL-G", at: location(of: "wal_g_restore_backup_name"),
                remedy: "write LATEST, or a name as `drover backup list` shows it")
        }
        if timeline.wholeMatch(of: /latest|current|[1-9][0-9]*/) == nil {
            diagnostics.report(
                "'\(timeline)' is no timeline", at: location(of: "wal_g_restore_target_timeline"),
                remedy: "write a number, latest or current")
        }
        return WALGSource(
            options: WALGOptions(options.filter { $0 != own }).replaced(by: given.options),
            label: label == WALGSource.newest ? nil : label, moment: moment, target: target,
            isImmediate: isImmediate, timeline: timeline)
    }

    /// Reports that a cluster would begin in two ways.
    mutating func reportBeginnings(besides others: [String], at place: SourceLocation?) {
        for other in others {
            diagnostics.report(
                "a cluster begins with a backup, or with '\(other)', and not with both", at: place,
                remedy: "take one of them out")
        }
    }
}
