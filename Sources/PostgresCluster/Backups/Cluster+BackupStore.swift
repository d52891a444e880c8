public import Engine
import Inventory
import Secrets

/// The store in which backups are kept, as those see it who reach it by themselves.
extension Cluster {
    /// What a host is to write there may be something else than what stands there: a key that does not fit would end the
    /// archive.
    private func storeInfo(on host: Host) throws -> PgBackRestInfo? {
        guard let backups = configuration.backups else { return nil }
        var info = PgBackRestInfo(backups.stanza, as: backups.user)
        info.configuration = try templates.render(pgbackrestConfiguration(on: host, backups))
        return info
    }

    /// Nobody when the backups are in no store.
    private var storeUsers: [Host] {
        guard let backups = configuration.backups, backups.storage != .posix else { return [] }
        return BackupQuestions(configuration: configuration).witnesses.map(\.host)
    }

    /// Has each host that reaches the store by itself look whether it can: before anything is touched where pgBackRest is
    /// there already, and otherwise as soon as it is.
    public func storeExamination() -> Play {
        Play("Look at the store of the backups", on: storeUsers, tags: ["pgbackrest"]) { host in
            if let info = try storeInfo(on: host) { Examination(name: "store of the backups", questions: [info]) }
        }
    }

    /// A store that cannot be used would be found out when there is a database already, and after minutes: pgBackRest tries
    /// again and again.
    ///
    /// - Throws: `Refusal` with each reason once.
    public func refuseUnusableStore() throws {
        guard let backups = configuration.backups else { return }
        var found: [(complaint: RepositoryComplaint, hosts: [String])] = []
        for host in storeUsers {
            guard let complaint = try storeInfo(on: host).flatMap({ observed[host].ifKnown($0)?.stanza?.complaint }),
                !isCuredByHostNames(complaint)
            else { continue }
            let index = found.firstIndex { $0.complaint == complaint } ?? found.endIndex
            if index == found.endIndex { found.append((complaint, [])) }
            found[index].hosts.append(host.name)
        }
        let refusals = found.map { complaint, hosts in
            Refusal(
                "\(hosts.joined(separator: ", ")) cannot use the store of the backups, \(backups.place): \(complaint.text)",
                remedies: [complaint.remedy])
        }
        if let refusal = Refusal(all: refusals) { throw refusal }
    }

    /// Whether the run itself will tell the hosts where the store is: `etc_hosts`.
    private func isCuredByHostNames(_ complaint: RepositoryComplaint) -> Bool {
        guard let name = complaint.unknownName else { return false }
        return configuration.system.hostsEntries.contains { $0.split(separator: " ").dropFirst().contains(name) }
    }
}

extension ClusterConfiguration.Backups {
    /// Where the store is, for people.
    var place: String {
        func value(_ name: String) -> String { options.first { $0.name == name }?.value.reveal() ?? "" }
        switch storage {
        case .posix: return path
        case .s3: return "the bucket '\(value("repo1-s3-bucket"))' at \(value("repo1-s3-endpoint"))"
        case .gcs: return "the bucket '\(value("repo1-gcs-bucket"))' of Google Cloud Storage"
        case .azure: return "the container '\(value("repo1-azure-container"))' of \(value("repo1-azure-account"))"
        }
    }
}
