import FoundationEssentials
import DroverCLI
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
