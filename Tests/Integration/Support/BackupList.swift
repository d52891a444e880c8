import Foundation
import Testing

/// The output of `drover backup list --json`.
struct BackupList: Decodable {
    struct Backup: Decodable {
        let label: String
        let type: String
    }

    let backups: [Backup]
}

extension TestLab {
    /// The backups of the cluster of an inventory, the oldest first.
    func backups(_ inventory: String? = nil) async throws -> [BackupList.Backup] {
        let list = try await drover("backup", "list", "-i", inventory ?? self.inventory, "--json")
        try #require(list.status == 0, "\(list.everything)")
        return try JSONDecoder().decode(BackupList.self, from: Data(list.output.utf8)).backups
    }
}
