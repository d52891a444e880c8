public import Engine
public import Inventory
import Secrets
import SystemResources

extension Cluster {
    private var found: RemovalFindings { RemovalFindings(of: configuration, given: observed) }

    /// Its system identifier; nil when nothing is left of it.
    var removedSystem: String? { found.identity }

    /// The guards of its removal.
    ///
    /// - Parameters:
    ///   - deletes: whether its data is deleted, and not only set aside.
    ///   - withBackups: whether its backups are deleted too.
    /// - Returns: what must be said to remove it: its name and its system identifier. Who means the backups too must say so.
    /// - Throws: `Refusal` with everything that forbids it.
    public func removalConfirmation(deletes: Bool, evenIfInUse: Bool, withBackups: Bool) throws -> Confirmation {
        let found = found
        let guards = RemovalGuards(
            cluster: configuration.name, dataDirectory: configuration.postgres.dataDirectory,
            removal: configuration.removal, deletes: deletes, evenIfInUse: evenIfInUse)
        let remains = withBackups ? backupRemains : BackupRemains()
        let refusals = guards.refusals(given: found) + remains.refusals(of: found.identity)
        if let refusal = Refusal(all: refusals) { throw refusal }
        return Confirmation(
            name: configuration.name + (withBackups ? "+backups" : ""), identity: found.identity ?? remains.identity)
    }

    /// The hosts that may hold the address, those that do last: so it does not move from one to the next.
    public var addressHoldersLast: [Host] {
        guard let address = configuration.balancing.address else { return [] }
        let hosts = configuration.addressHolders.map(\.host)
        func holds(_ host: Host) -> Bool { observed[host].ifKnown(HostAddresses())?.contains(address) ?? false }
        return hosts.filter { !holds($0) } + hosts.filter(holds)
    }

    /// Keeps the members from failing over while they are stopped.
    @ResourceBuilder
    public var pause: [any Resource] {
        DynamicConfiguration(
            settings: [.init(path: ["pause"], value: .bool(true))],
            api: api(leader))
    }

    /// A host that neither holds the address nor strives for it.
    @ResourceBuilder
    public func withoutAddress(on host: Host) -> [any Resource] {
        if let address = configuration.balancing.address {
            StoppedService("keepalived")
            NoAddress(
                address: address, prefix: configuration.balancing.prefix, interface: configuration.balancing.interface)
        }
    }

    /// A member that does not run.
    @ResourceBuilder
    public func stopped(on host: Host) -> [any Resource] {
        StoppedService(PatroniFence.unit)
        StoppedService("patroni")
        NoPostmaster(
            directory: configuration.postgres.dataDirectory, binaryDirectory: configuration.postgres.binaryDirectory)
    }

    /// The members in the order in which they are stopped: those that do not lead, and then the leader.
    public var membersBeforeLeader: [Host] { replicas.map(\.host) }

    /// The member of etcd that answers, or the first; the leader where there was an etcd before.
    public var etcdSpeaker: Node {
        let answering = found.etcd.answering.first?.name
        return configuration.etcd.first { $0.name == answering } ?? configuration.etcd.first ?? leader
    }

    /// Nothing of the cluster in etcd.
    @ResourceBuilder
    public var forgotten: [any Resource] {
        if let view = ClusterQuestions(configuration: configuration).existingEtcd {
            ForgottenInExistingEtcd(view: view)
        } else {
            ForgottenCluster(path: configuration.path, speaker: configuration.endpoint(of: etcdSpeaker))
        }
    }

    /// A member's data under another name, or nowhere.
    @ResourceBuilder
    public func withoutData(on host: Host, deletes: Bool) -> [any Resource] {
        SetAside(directory: configuration.postgres.dataDirectory, deletes: deletes)
    }

    /// A host without the files that its parts as member, balancer and, if the backups go too, their keeper had.
    ///
    /// - Parameter withBackups: whether the backups are gone. Where a host reaches them by itself, it keeps what tells how.
    @ResourceBuilder
    public func withoutFiles(on host: Host, withBackups: Bool) throws -> [any Resource] {
        try withoutExporters(on: host)
        let reaching = withBackups || configuration.backups?.host != nil ? [] : backupSettings
        for path in files(of: host) where !reaching.contains(path) { try Absent(path) }
        if withBackups, repositoryHost.contains(where: { $0.name == host.name }) {
            for path in backupFiles { try Absent(path) }
        }
        if configuration.system.firewall != nil { NoNftablesTable(Cluster.packetTable) }
    }

    /// What must be the case before etcd is stopped anywhere: nobody starts it again.
    @ResourceBuilder
    public func givenUpEtcd(on host: Host) throws -> [any Resource] {
        switch found.etcd.fate(removing: configuration.removal) {
        case .kept: []
        case .needed(let reason): Remark("etcd stays: \(reason)")
        case .removed:
            try Command(
                "keep_unit etcd.service\nsystemctl disable --quiet etcd", called: "systemctl disable etcd",
                onlyIf: "systemctl is-enabled --quiet etcd")
        }
    }

    /// A host without its part in etcd.
    @ResourceBuilder
    public func withoutEtcd(on host: Host, deletes: Bool) throws -> [any Resource] {
        if found.etcd.fate(removing: configuration.removal) == .removed {
            StoppedService("etcd", atBoot: .asBefore)
            SetAside(directory: configuration.etcdDirectory, user: "etcd", deletes: deletes)
            for path in etcdFiles + (configuration.removal.postgres ? authorityFiles : []) { try Absent(path) }
        }
    }
}
