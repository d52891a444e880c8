public import Drover
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

/// What goes into the drop-in of Patroni's unit.
struct PatroniUnitConfiguration: ConfigurationFile {
    static let template = "patroni.service.conf"

    /// What has Patroni take its next turn at once.
    let waking: String
}

/// What keeps the packages of PostgreSQL from making a cluster of their own.
struct CreateClusterConfiguration: ConfigurationFile {
    static let template = "createcluster.conf"
}

extension Cluster {
    static let patroniFile = "/etc/patroni/config.yml"

    /// `python3-etcd` is what Patroni speaks to etcd with; it is only one of several that the package would accept.
    var patroniPackages: [String] {
        ["postgresql-\(configuration.postgres.version)", "patroni", "python3-etcd"]
    }

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
            File(
                Cluster.patroniFile, containing: try templates.render(patroniConfiguration(of: node)),
                owner: "postgres", group: "postgres", mode: 0o600)
            File(
                PatroniAPI.login, containing: try templates.render(PatroniAPILogin(configuration.patroni.restLogin)),
                mode: 0o600)
            Directory("/etc/systemd/system/patroni.service.d")
            File(
                "/etc/systemd/system/patroni.service.d/drover.conf",
                containing: try templates.render(PatroniUnitConfiguration(waking: waking(node))))
            certificate(of: node, as: .postgres)
            if firstNewcomers.contains(where: { $0.name == node.name }) { newClusterIsLed }
            Service("patroni", reloadedBy: [Cluster.patroniFile] + identityFiles)
            takesPart(node)
            if let adoption, adoption.node.name == node.name { adoption.takeover }
            letsIn(node)
        }
    }

    /// Holds when the member that begins a new cluster leads it. Who was started before would begin one too, should that
    /// one fail.
    private var newClusterIsLed: Condition {
        let question = api(leader).question("/leader")
        let status = api(leader).get("/leader", "--max-time 2 --output /dev/null --write-out '%{http_code}'")
        return Condition(
            "\(leader.name) leads the new cluster", signs: [question],
            test: "answer=$(\(status)) && heard=$(date +%s); [ \"$answer\" = 200 ]",
            unit: nil, failure: "[ \"$(date +%s)\" -ge $(( ${heard:=$(date +%s)} + 30 )) ]", timeout: 3600,
            advice: "The Patroni of \(leader.name) has not answered for 30 seconds."
        ) { facts in
            try facts[question].status == 200
        }
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
                \(api.get("/primary", "--fail --max-time 2")) && { \(leads.reveal())} | grep -q leads || { \(streams.reveal())} | grep -q streams
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

    /// Wakes those from which a new member may stream, once, as soon as they know it. They make its slot when their next turn
    /// comes, up to `loop_wait` seconds later; until then it would be cloned but not stream.
    private func announcement(of node: Node) -> String {
        let upstream = configuration.upstream(of: node.name)
        let sources = [leader] + configuration.members.filter { $0.name == upstream && $0.name != leader.name }
        return """
            [ -n "${announced-}" ] || {
                \(api(leader).get("/cluster", "--max-time 2")) | grep -qF \(Shell.quote("\"name\": \"\(node.name)\"")) && {
                    announced=yes; \(sources.map(waking).joined(separator: "; "))
                }
            };
            """
    }

    /// Has Patroni take its next turn at once: what changes nothing of the shared configuration (a key that is not there is
    /// taken away) does that.
    func waking(_ node: Node) -> String {
        api(node).send(#"{"no_such_key":null}"#, to: "/config", by: "PATCH", "--max-time 2")
    }

    /// A member that the cluster gains: it is cloned, and is done when it is so close to the leader that it may serve.
    @ResourceBuilder
    public func newMember(on host: Host) throws -> [any Resource] {
        if let node = member(host), let megabytes = leaderSize, isNew(node) {
            Examination(
                name: "what is cloned", remarks: ["about \(megabytes) MB will be cloned"])
        }
        try patroni(on: host)
        if member(host) != nil { hasCaughtUp() }
        try pgbouncer(on: host)
    }

    /// Holds when a replica streams the leader's timeline and has replayed nearly all of it.
    private func hasCaughtUp() -> Condition {
        let catalog = catalog
        let timeline = membership.leader?.timeline ?? 0
        let test = catalog.script(
            running: MaskedText(
                """
                SELECT 'near' WHERE NOT pg_is_in_recovery() OR EXISTS (SELECT FROM pg_stat_wal_receiver
                    WHERE status = 'streaming' AND received_tli >= \(timeline) AND \(PostgresCatalog.isNear));
                """))
        return Condition(
            "PostgreSQL is close to the leader", signs: [catalog], test: "{ \(test.reveal())} | grep -q near",
            unit: "patroni.service", timeout: 3600
        ) { facts in
            let answer = try facts[catalog]
            return answer.isRunning
                && (!answer.isInRecovery || (answer.hasCaughtUp && answer.timeline ?? 0 >= timeline))
        }
    }

    /// How much of the database of a member that is being cloned is there.
    private func size(of node: Node) -> String? {
        guard isNew(node) else { return nil }
        let directory = Shell.quote(configuration.postgres.dataDirectory)
        return "du -s --block-size=1M \(directory) 2>/dev/null | { read -r size _; echo \"${size:-0} MB are there\"; }"
    }

    private func isNew(_ node: Node) -> Bool { newcomers.contains { $0.name == node.name } }

    /// In megabytes; nil while it is not known.
    private var leaderSize: Int? {
        let capacity = observed[leader.host].ifKnown(GrowthQuestions(configuration: configuration).capacity)
        return capacity.map { $0.size / 1_048_576 }
    }

    /// What to do about a clone that failed. Patroni has removed what it had copied, and begins anew by itself, unless it was
    /// ended in the middle: then it does not know whose the data is.
    private func advice(for node: Node) -> String? {
        guard isNew(node) else { return nil }
        return
            "Mend the cause and run this again: Patroni begins the clone anew. When it says 'consider doing reinitialize', "
            + "begin it by `patronictl -c /etc/patroni/config.yml reinit \(configuration.name) \(node.name)`."
    }

    /// Waiting is in vain when Patroni says that something failed, such as a clone, or when a replica runs for five minutes
    /// without streaming: its history is then another one than the leader's, or the leader has removed what it needs.
    private func vain(state: String) -> String {
        """
        state=$(\(state))
        : "${asked_since:=$(date +%s)}"
        case $state in
        *'"state": "'*failed'"'*) true ;;
        *'"state": "stopped"'*)
            journalctl --unit=patroni.service --since="@$asked_since" --no-pager --output=cat \\
                | grep -Eq 'failed to bootstrap|consider doing reinitialize' ;;
        *'"state": "running"'*) [ "$(date +%s)" -ge $(( ${runs_since:=$(date +%s)} + 300 )) ] ;;
        *) false ;;
        esac
        """
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
            tags: tags(of: node), upstream: configuration.upstream(of: node.name),
            clusterParameters: parameters.filter(\.isClusterWide).map { .init(name: $0.name, value: $0.value) },
            localParameters: parameters.filter { !$0.isClusterWide }.map { .init(name: $0.name, value: $0.value) },
            memoryParameters: memoryParameters(of: node).map { .init(name: $0.name, value: $0.value) },
            memoryMark: MemberMemory.mark,
            baseBackup: patroni.baseBackup.map { .init(name: $0.name, value: $0.value) }, locale: postgres.locale,
            dataDirectory: postgres.dataDirectory, binaryDirectory: postgres.binaryDirectory,
            superuser: .init(name: patroni.superuser.name, password: patroni.superuser.password),
            replication: .init(name: patroni.replication.name, password: patroni.replication.password),
            restLogin: .init(name: patroni.restLogin.name, password: patroni.restLogin.password),
            tls: configuration.tls.map { _ in TLSFiles(.postgres) }, accessRules: accessLines,
            replicaMethods: replicaMethods.map(\.rawValue),
            standby: patroni.standby.map { .init(host: $0.host, port: $0.port, slot: $0.slot) }, beginning: beginning,
            restoration: restoration)
    }
}
