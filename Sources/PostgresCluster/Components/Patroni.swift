public import Engine
public import Inventory
import Secrets
import SystemResources
import Templates

/// What goes into `/etc/patroni/api.curl`: with it root changes something over the REST API.
struct PatroniAPILogin: ConfigurationFile {
    static let template = "patroni.api.curl"

    let name: String
    @TemplateSecret var password: Secret

    /// In a quoted text of `curl` a `"` and a `\` stand behind a `\`.
    init(_ login: ClusterConfiguration.Login) {
        name = login.name
        password = Secret(
            login.password.reveal().unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())
    }
}

/// What keeps the packages of PostgreSQL from making a cluster of their own.
struct CreateClusterConfiguration: ConfigurationFile {
    static let template = "createcluster.conf"
}

extension Cluster {
    static let patroniFile = "/etc/patroni/config.yml"

    /// Keeps the packages of PostgreSQL from making a cluster when they are installed.
    @ResourceBuilder
    func noClusterOfThePackages(on host: Host) throws -> [any Resource] {
        if member(host) != nil {
            Directory("/etc/postgresql-common/createcluster.d")
            File(
                "/etc/postgresql-common/createcluster.d/drover.conf",
                containing: try templates.render(CreateClusterConfiguration()))
        }
    }

    /// One member: Patroni makes its database or clones it, and it leads or streams from who leads.
    @ResourceBuilder
    public func patroni(on host: Host) throws -> [any Resource] {
        if let node = member(host) {
            Directory(dataParent, owner: "postgres", group: "postgres")
            if let directory = configuration.postgres.ownLogDirectory {
                Directory(directory, owner: "postgres", group: "postgres", mode: 0o700)
            }
            if let files = configuration.patroni.log.files {
                Directory(files.directory, owner: "postgres", group: "postgres", mode: 0o750)
            }
            // First, in case that Patroni is started with the new files by itself.
            if etcdClientIsApart(on: host) { certificate(of: node, as: .etcdClient, by: etcdAuthority) }
            File(
                Cluster.patroniFile, containing: try templates.render(patroniConfiguration(of: node)),
                owner: "postgres", group: "postgres", mode: 0o600)
            try settings(of: PatroniUnitSettings.self, on: host)
            Directory("/usr/local/lib/drover")
            try patroniStart(of: node)
            certificate(of: node, as: .postgres, by: authority)
            if firstNewcomers.contains(where: { $0.name == node.name }) {
                newClusterIsLed
                if let condition = upstreamRuns(for: node) { condition }
            }
            try patroniService(of: node)
            // Only now: the reload wakes Patroni up, which still knows the password from before.
            File(
                PatroniAPI.login, containing: try templates.render(PatroniAPILogin(configuration.patroni.restLogin)),
                mode: 0o600)
            // Before anything is waited for: a fence that asks at an old port would stop PostgreSQL meanwhile.
            try patroniFence(of: node)
            takesPart(node)
            if let adoption, adoption.node.name == node.name { adoption.takeover }
            letsIn(node)
        }
    }

    /// What Patroni reads only when it starts.
    @ResourceBuilder
    func patroniStart(of node: Node) throws -> [any Resource] {
        try patroniCorrection(on: node.host)
        if let settings = try patroniEtcdSettings(on: node.host) { settings }
    }

    func patroniService(of node: Node) throws -> Service {
        let etcdSettings = try patroniEtcdSettings(on: node.host)?.path
        return Service(
            "patroni", restartedBy: [CorrectedPatroni.path] + [etcdSettings].compactMap(\.self),
            reloadedBy: [Cluster.patroniFile] + identityFiles, gentleRestart: patroniRestart(node))
    }

    private func takesPart(_ node: Node) -> Condition {
        let api = api(node)
        let own = PatroniStatus.own(at: api)
        let catalog = catalog
        let streams = catalog.script(
            running: "SELECT 'streams' FROM pg_stat_wal_receiver WHERE status = 'streaming';")
        // Patroni says so as soon as it has told the server to lead, which then takes its time. It must answer at all, also
        // of a replica: the signs have its role from there. (Asked for /patroni, it would look again for a server that is
        // not there yet, a second later, before it answers.)
        let leads = catalog.script(running: "SELECT 'leads' WHERE NOT pg_is_in_recovery();")
        return Condition(
            "PostgreSQL leads or streams", signs: [own, catalog],
            test: """
                { \(api.get("/health", "--fail --max-time 2")) && {
                \(api.get("/primary", "--fail --max-time 2")) && { \(leads)} | grep -q leads || { \(streams)} | grep -q streams
                }; }\(isNew(node) ? " || { \(announcement(of: node)) false; }" : "")
                """,
            unit: "patroni.service", failure: vain(state: api.get("/health", "--max-time 2")), timeout: 3600,
            progress: size(of: node), advice: advice(for: node)
        ) { facts in
            let answer = try facts[catalog]
            guard let role = try facts[own].patroni(PatroniStatus.Own.self)?.role else { return false }
            // The leader of a cluster that follows another one is a standby too.
            return answer.isRunning
                && (["replica", "standby_leader"].contains(role) ? answer.isStreaming : !answer.isInRecovery)
        }
    }

    /// Has Patroni take its next turn at once: what changes nothing of the shared configuration (a key that is not there is
    /// taken away) does that.
    func waking(_ node: Node) -> ShellText {
        api(node).send(#"{"no_such_key":null}"#, to: "/config", by: "PATCH", "--max-time 2")
    }

    /// Waiting is in vain when Patroni says that something failed, such as a clone, or when a replica runs for five minutes
    /// without streaming: its history is then another one than the leader's, or the leader has removed what it needs.
    private func vain(state: ShellText) -> ShellText {
        """
        state=$(\(state))
        \(messagesBegin)
        case $state in
        *'"state": "'*failed'"'*) true ;;
        *'"state": "stopped"'*)
            \(messages) \\
                | grep -Eq 'failed to bootstrap|consider doing reinitialize' ;;
        *'"state": "running"'*) [ "$(date +%s)" -ge $(( ${runs_since:=$(date +%s)} + 300 )) ] ;;
        *) false ;;
        esac
        """
    }

    /// Shell text that remembers where the messages of Patroni end, the first time that it is run.
    private var messagesBegin: ShellText {
        guard let files = configuration.patroni.log.files else { return #": "${asked_since:=$(date +%s)}""# }
        return #": "${asked_size:=$(stat --format=%s \#(quoting: files.newest) 2>/dev/null || echo 0)}""#
    }

    /// Shell text that prints the messages of Patroni since then.
    private var messages: ShellText {
        guard let files = configuration.patroni.log.files else {
            return #"journalctl --unit=patroni.service --since="@$asked_since" --no-pager --output=cat"#
        }
        return #"tail --bytes=+$((asked_size + 1)) \#(quoting: files.newest) 2>/dev/null"#
    }

    /// The catalogue that tells of a member's part, its roles and its databases.
    var catalog: PostgresCatalog { PostgresCatalog(of: configuration, databases: databasesWithLookup) }

    private var dataParent: String {
        "/" + configuration.postgres.dataDirectory.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The members of etcd that a member asks: not the one on its own host when there are two others.
    ///
    /// That one is cut off together with the host, and goes on telling its old news. When the host comes back, Patroni 3.0.2
    /// believes that it still leads, and takes the lock away from the new leader without comparing (`_update_leader` of
    /// `etcd3.py`): what was acknowledged meanwhile is lost.
    private func etcd(for node: Node) -> [Peer] {
        let others = configuration.etcd.filter { $0.name != node.name }
        return (others.count < 2 ? configuration.etcd : others).map(Peer.init)
    }

    private var existingEtcd: PatroniConfiguration.ExistingEtcd? {
        configuration.existingEtcd.map { etcd in
            .init(
                hosts: etcd.endpoints.map { .init(name: $0.host, port: $0.port) }, scheme: etcd.scheme.rawValue,
                authority: etcd.authority, certificate: etcd.certificate, key: etcd.key,
                login: etcd.login.map { .init(name: $0.name, password: $0.password) })
        }
    }

    private func tags(of node: Node) -> [PatroniConfiguration.Tag] {
        let tags = configuration.patroni.tags[node.name] ?? .init()
        return [
            .init(name: "nofailover", value: tags.nofailover), .init(name: "noloadbalance", value: tags.noloadbalance),
            .init(name: "clonefrom", value: tags.clonefrom), .init(name: "nosync", value: tags.nosync),
        ]
    }

    /// The parameters of a member's own file: its own ones win.
    private func localParameters(
        _ parameters: [ClusterConfiguration.Parameter], of node: Node
    ) -> [ClusterConfiguration.Parameter] {
        let own = configuration.postgres.localParameters[node.name] ?? []
        let names = Set(own.map { $0.name.lowercased() })
        return parameters.filter { !$0.isClusterWide && !names.contains($0.name.lowercased()) } + own
    }

    private func patroniConfiguration(of node: Node) -> PatroniConfiguration {
        let patroni = configuration.patroni
        let postgres = configuration.postgres
        let parameters = postgres.parameters + archiveParameters + tlsParameters
        return PatroniConfiguration(
            scope: configuration.name, namespace: configuration.namespace, name: node.name,
            address: node.address, listening: configuration.listening(of: node), port: postgres.port,
            restPort: patroni.restPort,
            etcd: etcd(for: node), existingEtcd: existingEtcd,
            asksOnlyThese: etcd(for: node).count < configuration.etcd.count,
            ttl: patroni.ttl, loopWait: patroni.loopWait, retryTimeout: patroni.retryTimeout,
            maximumLagOnFailover: patroni.maximumLagOnFailover, primaryStartTimeout: patroni.primaryStartTimeout,
            synchronousMode: patroni.synchronous.isOn, synchronousModeStrict: patroni.synchronous.isStrict,
            synchronousNodeCount: patroni.synchronous.count, failsafeMode: patroni.failsafeMode,
            usesRewind: patroni.rewind.isUsed, removesDataOnRewindFailure: patroni.rewind.removesDataOnFailure,
            removesDataOnDivergedTimelines: patroni.rewind.removesDataOnDivergedTimelines,
            watchdog: patroni.watchdog.rawValue,
            slots: patroni.slots.map {
                .init(name: $0.name, type: $0.kind.rawValue, database: $0.database, plugin: $0.plugin)
            },
            tags: tags(of: node),
            ownTags: (patroni.tags[node.name]?.own ?? [:]).sorted { $0.key < $1.key }.map {
                .init(name: $0.key, value: $0.value)
            }, upstream: configuration.upstream(of: node.name),
            clusterParameters: parameters.filter(\.isClusterWide).map { .init(name: $0.name, value: $0.value) },
            localParameters: localParameters(parameters, of: node).map { .init(name: $0.name, value: $0.value) },
            memoryParameters: memoryParameters(of: node).map { .init(name: $0.name, value: $0.value) },
            memoryMark: MemberMemory.mark,
            baseBackup: patroni.baseBackup.map { .init(name: $0.name, value: $0.value) }, locale: postgres.locale,
            dataDirectory: postgres.dataDirectory, binaryDirectory: postgres.binaryDirectory,
            superuser: .init(name: patroni.superuser.name, password: patroni.superuser.password),
            replication: .init(name: patroni.replication.name, password: patroni.replication.password),
            restLogin: .init(name: patroni.restLogin.name, password: patroni.restLogin.password),
            tls: configuration.tls.map { _ in TLSFiles(.postgres) },
            etcdTLS: configuration.tls.map { _ in TLSFiles(etcdClient(on: node.host)) },
            accessRules: accessLines.map { .init($0) },
            identityMaps: postgres.identityMaps.map(\.line), log: patroni.log.isCustomary ? nil : .init(patroni.log),
            callbacks: patroni.hooks.callbacks.map { .init(name: $0.action.rawValue, value: $0.script) },
            hooks: patroni.hooks.commands.map { .init(name: $0.name, value: $0.value) },
            replicaMethods: replicaMethods.map(\.rawValue),
            standby: patroni.standby.map { .init(host: $0.host, port: $0.port, slot: $0.slot) }, beginning: beginning,
            restoration: restoration)
    }
}
