import Engine

extension Facts {
    /// Whether one of the files is newer than what was read at `moment`, or will be.
    ///
    /// - Parameters:
    ///   - files: their ``FileStatus`` must have been asked for.
    ///   - moment: when a service has last read its files; nil when it never did.
    func hasNewer(_ files: [String], than moment: Timestamp?, after pending: PendingEffects) throws -> Bool {
        try files.contains { file in
            if pending.contains(.writes(file)) { return true }
            guard let attributes = try self[FileStatus(file)], let moment else { return false }
            return attributes.modified > moment
        }
    }
}
