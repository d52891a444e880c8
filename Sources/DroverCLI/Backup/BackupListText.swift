import FoundationEssentials
import PostgresCluster

/// Backups as a table.
struct BackupListText {
    let list: BackupList

    var lines: [String] {
        if list.backups.isEmpty { return ["No backups of '\(list.stanza)': \(list.message)"] }
        return Text.table(
            [["backup", "type", "complete since", "age", "took", "database", "stored"]]
                + list.backups.map { backup in
                    let moment = Date(timeIntervalSince1970: Double(backup.timestamp.stop))
                    return [
                        backup.label, backup.type.rawValue, moment.formatted(.iso8601),
                        Text.age(list.now - backup.timestamp.stop),
                        Text.elapsed(Double(backup.timestamp.stop - backup.timestamp.start)),
                        Text.bytes(backup.info.size), Text.bytes(backup.info.repository.delta),
                    ]
                })
    }
}

extension Text {
    /// How long ago something was, in its greatest unit: `42 s`, `5 min`, `3 h`, `12 days`.
    static func age(_ seconds: Int) -> String {
        switch max(0, seconds) {
        case ..<120: "\(max(0, seconds)) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// `9 KiB`, `40 MiB`.
    static func bytes(_ count: Int) -> String {
        count < 10_240 ? "\(count) B" : count < 10_485_760 ? "\(count / 1024) KiB" : "\(count / 1_048_576) MiB"
    }
}
