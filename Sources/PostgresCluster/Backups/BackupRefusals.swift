import Engine

extension ClusterConfiguration {
    /// - Throws: `Refusal` when the inventory wants no backups.
    func requireBackups() throws {
        if hasBackups { return }
        throw Refusal(
            "the inventory wants no backups of the cluster '\(name)'",
            remedies: ["set pgbackrest_install to true, and apply deploy-cluster"])
    }

    /// - Parameter purpose: for what they must be pgBackRest's.
    /// - Throws: `Refusal` when the inventory wants no backups, or has them made by WAL-G.
    func requiredBackups(for purpose: String) throws -> Backups {
        try requireBackups()
        guard let backups else { throw notByWALG(purpose) }
        return backups
    }

    /// What only pgBackRest can do.
    func notByWALG(_ purpose: String) -> Refusal {
        Refusal(
            "\(purpose) takes backups of pgBackRest, and those of the cluster '\(name)' are WAL-G's",
            remedies: ["begin a new cluster with one of them: patroni_cluster_bootstrap_method: wal-g"])
    }
}

extension Cluster {
    /// Keeps the cluster from writing into the stanza of another one, which would make the backups of both worthless.
    ///
    /// - Throws: `Refusal` when the repository has such a stanza.
    public func refuseForeignStanza() throws {
        guard let stanza = backupSightings.told?.stanza, let theirs = stanza.db.last?.systemIdentifier else { return }
        let found: String
        switch state {
        case .new: found = "there is no database here yet"
        case .running:
            guard let ours = backupSightings.systemIdentifier, ours != "\(theirs)" else { return }
            found = "this one has \(ours)"
        case .unknown, .partial, .foreign: return
        }
        if let walg = configuration.walg {
            throw Refusal(
                "the archive at \(walg.place) has backups of another cluster, of the database system \(theirs): \(found)",
                remedies: [
                    "give this one a place of its own, in wal_g_json",
                    "if that cluster is gone and its backups are not needed any more, delete them: "
                        + "`wal-g delete everything --confirm`",
                ])
        }
        throw Refusal(
            "the repository has backups of another cluster under the name '\(stanza.name)', of the database system "
                + "\(theirs): \(found)",
            remedies: [
                "choose another name: pgbackrest_stanza",
                "if that cluster is gone and its backups are not needed any more, apply remove-cluster --with-backups to the "
                    + "inventory that it had",
            ])
    }

    /// - Throws: `Refusal` unless somebody leads the cluster, who is to be backed up.
    func refuseUnlessLed() throws {
        switch state {
        case .unknown, .running(leader: .some, _): return
        case .new, .partial, .foreign, .running(leader: nil, _):
            throw Refusal(
                "nobody leads the cluster '\(configuration.name)'",
                remedies: ["see `drover status`; apply deploy-cluster makes or starts it"])
        }
    }
}
