import Diagnostics
import Inventory
import Secrets
import YAML

extension ClusterConfiguration.Backups {
    /// Nil when the inventory wants no backups.
    ///
    /// - Parameter hosts: the group `pgbackrest`.
    init?(_ variables: inout Variables, cluster: String?, hosts: [Node], members: [Node]) {
        guard variables.optional("pgbackrest_install") ?? false else {
            variables.ignore(
                "pgbackrest_stanza", "pgbackrest_repo_type", "pgbackrest_repo_host", "pgbackrest_repo_shared",
                "pgbackrest_repo_user", "pgbackrest_schedule", "pgbackrest_cron_jobs", "pgbackrest_conf")
            if let host = hosts.first {
                variables.diagnostics.report(
                    "'\(host.name)' is in the group 'pgbackrest', but pgbackrest_install is not true",
                    at: host.host.location, remedy: "set pgbackrest_install to true, or take the host out")
            }
            return nil
        }
        let named = variables.word("pgbackrest_stanza", default: "main")
        let stanza = variables.location(of: "pgbackrest_stanza") == nil ? cluster ?? named : named
        let storage: Storage = variables.optional("pgbackrest_repo_type") ?? .posix
        let repositoryHost: String? = variables.optional("pgbackrest_repo_host")
        let isShared = variables.optional("pgbackrest_repo_shared") ?? false
        let user = variables.word("pgbackrest_repo_user", default: "postgres")
        let schedule = variables.backupSchedule()
        let given: BackupOptions = variables.optional("pgbackrest_conf") ?? BackupOptions()
        variables.checkRepositoryHosts(hosts, named: repositoryHost, members: members)
        if hosts.isEmpty, storage == .posix, members.count > 1, !isShared {
            variables.diagnostics.report(
                "the members would each have a repository of their own",
                at: variables.location(of: "pgbackrest_install"),
                remedy: "put a host into the group 'pgbackrest', write pgbackrest_repo_type: s3, or say "
                    + "pgbackrest_repo_shared: true when repo1-path is on a file system that all of them have mounted")
        }
        for (names, what) in [
            (
                given.ignored,
                "are left out: they follow from the rest of the inventory, or pgBackRest 2.45 has them not"
            ),
            (given.unchecked, "are passed on as they are: Drover does not check them"),
        ] where !names.isEmpty {
            variables.notes.append(
                Diagnostic(
                    "the options \(names.joined(separator: ", ")) of pgbackrest_conf \(what)",
                    at: variables.location(of: "pgbackrest_conf")))
        }
        var options = BackupOptions()
        let keeper = hosts.isEmpty ? "postgres" : user
        for option in BackupOption.defaults(for: storage, of: keeper) { options.set(option) }
        for option in given.options where !BackupOption.isList(option.name) { options.set(option) }
        for option in given.options where BackupOption.isList(option.name) { options.append(option) }
        variables.checkStore(options.options, storage)
        self.init(
            stanza: stanza, storage: storage, host: hosts.first, user: keeper,
            options: options.options, schedule: schedule)
    }
}

extension ClusterConfiguration.Backups.Storage {
    /// - Parameter keyType: how pgBackRest logs in there; nil for the customary way.
    fileprivate func requiredOptions(keyType: String?) -> [String] {
        switch self {
        case .posix: []
        case .s3:
            ["repo1-s3-bucket", "repo1-s3-endpoint", "repo1-s3-region"]
                + ((keyType ?? "shared") == "shared" ? ["repo1-s3-key", "repo1-s3-key-secret"] : [])
        case .gcs: ["repo1-gcs-bucket"] + (keyType == "auto" ? [] : ["repo1-gcs-key"])
        case .azure: ["repo1-azure-account", "repo1-azure-container", "repo1-azure-key"]
        }
    }
}

extension Variables {
    fileprivate mutating func checkRepositoryHosts(_ hosts: [Node], named: String?, members: [Node]) {
        if hosts.count > 1 {
            diagnostics.report(
                "the group 'pgbackrest' has \(hosts.count) hosts", at: hosts[1].host.location,
                remedy: "leave one in it: there is one repository")
        }
        for host in hosts where members.contains(where: { $0.name == host.name }) {
            diagnostics.report(
                "'\(host.name)' is in 'pgbackrest' and has a database too", at: host.host.location,
                remedy:
                    "take it out of 'pgbackrest', so that the members keep the repository themselves, or name a host "
                    + "without a database")
        }
        if let named, !named.isEmpty, !hosts.contains(where: { $0.name == named || $0.address == named }) {
            diagnostics.report(
                "'\(named)' is not in the group 'pgbackrest'", at: location(of: "pgbackrest_repo_host"),
                remedy: "put the host of the repository there; pgbackrest_repo_host is not needed then")
        }
    }

    fileprivate mutating func checkStore(
        _ options: [BackupOption], _ storage: ClusterConfiguration.Backups.Storage
    ) {
        let place = location(of: "pgbackrest_conf") ?? location(of: "pgbackrest_repo_type")
        let names = Set(options.map(\.name))
        for other in ClusterConfiguration.Backups.Storage.allCases where other != storage {
            let prefix = "repo1-\(other.rawValue)-"
            for option in options where option.name.hasPrefix(prefix) {
                diagnostics.report(
                    "'\(option.name)' is for another store than this one", at: place,
                    remedy: "write pgbackrest_repo_type: \(other.rawValue), or take it out")
            }
        }
        if storage == .posix, let option = options.first(where: { $0.name.hasPrefix("repo1-storage-") }) {
            diagnostics.report(
                "'\(option.name)' is for another store than this one", at: place,
                remedy: "write pgbackrest_repo_type: s3, gcs or azure, or take it out")
        }
        let key = options.first { $0.name == "repo1-\(storage.rawValue)-key-type" }?.value.reveal()
        for name in storage.requiredOptions(keyType: key) where !names.contains(name) {
            diagnostics.report(
                "the option '\(name)' of pgBackRest is missing", at: place,
                remedy: "set it in pgbackrest_conf, under global")
        }
    }

    /// How replicas are made: from a backup where there is one, for that spares the leader.
    mutating func replicaMethods(
        with backups: ClusterConfiguration.Backups?, or walg: ClusterConfiguration.WALG?
    ) -> [ClusterConfiguration.ReplicaMethod] {
        let name = "patroni_create_replica_methods"
        guard let methods: [ClusterConfiguration.ReplicaMethod] = optional(name) else {
            return (backups == nil ? [] : [.pgbackrest]) + (walg == nil ? [] : [.walG]) + [.basebackup]
        }
        for (method, isMade, variable) in [
            (ClusterConfiguration.ReplicaMethod.pgbackrest, backups != nil, "pgbackrest_install"),
            (.walG, walg != nil, "wal_g_install"),
        ] where methods.contains(method) && !isMade {
            diagnostics.report(
                "replicas cannot be made from backups that are not made", at: location(of: name),
                remedy: "set \(variable) to true, or take '\(method.rawValue)' out")
        }
        if methods.isEmpty {
            diagnostics.report(
                "there is no way to make a replica", at: location(of: name),
                remedy: "name pgbackrest, wal_g or basebackup, or several")
        }
        return methods
    }

    /// Reports parameters that the backups themselves set.
    mutating func reportArchiving(
        _ parameters: [String], with backups: ClusterConfiguration.Backups?, or walg: ClusterConfiguration.WALG?
    ) {
        guard backups != nil || walg != nil else { return }
        for name in parameters where ["archive_mode", "archive_command", "archive_library"].contains(name) {
            diagnostics.report(
                "'\(name)' is set by the backups", at: location(of: "postgresql_parameters"),
                remedy: "take it out, or set \(walg == nil ? "pgbackrest_install" : "wal_g_install") to false")
        }
    }
}
