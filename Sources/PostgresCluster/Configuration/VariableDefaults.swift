import Diagnostics
import Inventory
import Secrets
import YAML

extension ClusterConfiguration.Postgres {
    init(_ variables: inout Variables, tls: ClusterConfiguration.TLS?) {
        let version: Int? = variables.optional("postgresql_version")
        let shipped = Platform.all.map { "\($0.name) has \($0.postgres.version)" }.joined(separator: ", ")
        if let version, !(13...18).contains(version) {
            variables.diagnostics.report(
                "PostgreSQL \(version) is not supported", at: variables.location(of: "postgresql_version"),
                remedy: "write 13 to 18; \(shipped)")
        } else if let version, !Platform.all.contains(where: { $0.postgres.version == version }) {
            variables.notes.append(
                Diagnostic(
                    "no supported system has PostgreSQL \(version) (\(shipped)): a repository of the hosts must have it",
                    at: variables.location(of: "postgresql_version")))
        }
        let directory: String? = variables.optional("postgresql_data_dir")
        if let directory,
            let fault = PostgresPlace.fault(ofData: directory, at: variables.location(of: "postgresql_data_dir"))
        {
            variables.diagnostics.report(fault)
        }
        self.init(
            declaredVersion: version, port: variables.port("postgresql_port", default: 5432),
            declaredDirectory: directory,
            locale: variables.word("postgresql_locale", default: "C.UTF-8"),
            parameters: variables.optional("postgresql_parameters") ?? [],
            accessRules: variables.optional("postgresql_pg_hba")
                ?? ClusterConfiguration.AccessRule.customary(with: tls == nil ? .host : .hostssl),
            // Since version 10 these are in the package of the server, which only provides the name: debian/control.
            packages: variables.packages("postgresql_packages").filter { !$0.hasPrefix("postgresql-contrib") })
        identityMaps = variables.optional("postgresql_pg_ident") ?? []
        if tls != nil { parameters = variables.withoutTLS(parameters) }
        if let own = ownLogDirectory,
            let fault = PostgresPlace.fault(ofLogs: own, at: variables.location(of: "postgresql_parameters"))
        {
            variables.diagnostics.report(fault)
        }
    }
}

extension ClusterConfiguration.Patroni {
    /// Nil when a fault was reported.
    init?(
        _ variables: inout Variables, timers: Timers, members: [Node], backups: ClusterConfiguration.Backups?,
        walg: ClusterConfiguration.WALG?
    ) {
        // The superuser has the name of the system's user, by which it logs in locally without a password.
        let password: Secret? = variables.password("patroni_superuser_password")
        let superuser = password.map { ClusterConfiguration.Login(name: "postgres", password: $0) }
        let replication = variables.login(
            "patroni_replication_username", default: "replicator", password: "patroni_replication_password")
        let restLogin = Self.restLogin(&variables)
        let restPort = variables.port("patroni_restapi_port", default: 8008)
        let maximumLag = variables.optional("patroni_maximum_lag_on_failover") ?? 1_048_576
        let upstreams = variables.upstreams(of: members)
        let synchronous = Synchronous(&variables, replicas: members.count - 1, cascaded: upstreams.count)
        let failsafe = variables.optional("patroni_failsafe_mode") ?? true
        let watchdog: Watchdog = variables.optional("patroni_watchdog_mode") ?? .automatic
        let rewind = Rewind(&variables)
        let slots: [Slot] = variables.optional("patroni_slots") ?? []
        variables.reportRepeated(slots.map(\.name), in: "patroni_slots")
        var tags: [String: Tags] = [:]
        for member in members {
            var own = Tags(&variables, of: member.host)
            own.upstream = upstreams[member.name]
            if synchronous.isOn, own.nofailover, !own.nosync {
                variables.diagnostics.report(
                    "\(member.name) never leads, but may be the one replica that has everything, so that nobody could take "
                        + "over", at: member.host.variables["patroni_tags"]?.node.location,
                    remedy: "write patroni_tags: nofailover=true,nosync=true")
            }
            tags[member.name] = own
        }
        let baseBackup = variables.optional("basebackup") ?? ClusterConfiguration.Patroni.customaryBaseBackup
        variables.reportRepeated(baseBackup.map(\.name), in: "basebackup")
        let methods = variables.replicaMethods(with: backups, or: walg)
        let standby = variables.standbySource(
            members: members, backedUpBy: backups != nil ? "pgbackrest_install" : walg.map { _ in "wal_g_install" })
        let log = Log(&variables)
        let hooks = Hooks(&variables)
        guard let superuser, let replication else { return nil }
        self.init(
            restPort: restPort, ttl: timers.ttl, loopWait: timers.loopWait, retryTimeout: timers.retryTimeout,
            primaryStartTimeout: timers.primaryStartTimeout, maximumLagOnFailover: maximumLag, synchronous: synchronous,
            failsafeMode: failsafe, watchdog: watchdog, rewind: rewind, slots: slots, tags: tags, superuser: superuser,
            replication: replication, restLogin: restLogin, log: log, hooks: hooks, baseBackup: baseBackup,
            replicaMethods: methods,
            standby: standby)
    }

    /// The checkpoint is not waited for, and the leader's disk is not read faster than clients may notice.
    private static let customaryBaseBackup = [
        ClusterConfiguration.Parameter(name: "checkpoint", value: "fast"),
        ClusterConfiguration.Parameter(name: "max-rate", value: "1000M"),
    ]

    static func isScope(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}

extension ClusterConfiguration.Pooler {
    /// Nil when a fault was reported.
    ///
    /// - Parameter connections: how many PostgreSQL has for each database.
    init?(_ variables: inout Variables, connectionsForEach connections: Int, isEncrypted: Bool) {
        let login = variables.login(
            "pgbouncer_auth_username", default: "pgbouncer", password: "pgbouncer_auth_password")
        let port = variables.port("pgbouncer_listen_port", default: 6432)
        let customary: Mode? = variables.optional("pgbouncer_default_pool_mode")
        let mode: Mode = variables.optional("pgbouncer_pool_mode") ?? customary ?? .session
        let poolSize = variables.optional("pgbouncer_default_pool_size") ?? max(1, min(100, connections))
        let clients = variables.optional("pgbouncer_max_client_conn") ?? 10_000
        let pools: [Pool] = variables.optional("pgbouncer_pools") ?? []
        variables.reportRepeated(pools.map(\.name), in: "pgbouncer_pools")
        let options = Self.options(&variables)
        let wait = variables.optional("pgbouncer_query_wait_timeout") ?? 120
        let ignored = Self.ignoredParameters(&variables)
        let statements: Int? = variables.optional("pgbouncer_max_prepared_statements")
        if let statements, statements < 0 {
            variables.diagnostics.report(
                "\(statements) is no number of prepared statements",
                at: variables.location(of: "pgbouncer_max_prepared_statements"), remedy: "write 0 or more")
        }
        let tls = TLS(&variables, isOn: isEncrypted)
        guard let login else { return nil }
        self.init(
            port: port, mode: mode, defaultPoolSize: poolSize, maxClientConnections: clients, pools: pools,
            queryWaitTimeout: wait, ignoredParameters: ignored, options: options, login: login,
            preparedStatements: statements, tls: tls)
    }
}

extension ClusterConfiguration.Balancing {
    init(
        _ variables: inout Variables, balancers: [Node], checkInterval: Int, isSynchronous: Bool,
        tags: [String: ClusterConfiguration.Patroni.Tags]
    ) {
        let address = variables.text("cluster_vip")
        let place = variables.location(of: "cluster_vip")
        if let address, !Node.isAddress(address) {
            variables.diagnostics.report(
                "'\(address)' is no IPv4 address", at: place, remedy: "write four numbers, such as 10.70.0.100")
        } else if let address, balancers.contains(where: { $0.address == address }) {
            variables.diagnostics.report(
                "cluster_vip \(address) is a balancer's own address", at: place,
                remedy: "choose one that no host has: the balancers hand it to each other")
        }
        let isBalanced: Bool? = variables.optional("with_haproxy_load_balancing")
        if isBalanced == true, balancers.isEmpty {
            variables.diagnostics.report(
                "with_haproxy_load_balancing is true, but no host is in the group 'balancers'",
                at: variables.location(of: "with_haproxy_load_balancing"),
                remedy: "put hosts into 'balancers', or leave it out")
        }
        let lastNumber = address?.split(separator: ".").last.flatMap { UInt8($0) }.map(Int.init) ?? 1
        // autobase derives it from the address. Without an address it has no value, and needs none.
        let isNeedless = address == nil && variables.hasFaults("keepalived_virtual_router_id")
        variables.ignore("keepalived_virtual_router_id")
        let given: Int? = isNeedless ? nil : variables.optional("keepalived_virtual_router_id")
        let routerID = given ?? max(1, lastNumber)
        if !(1...255).contains(routerID) {
            variables.diagnostics.report(
                "the virtual router id \(routerID) is out of range",
                at: variables.location(of: "keepalived_virtual_router_id"), remedy: "write 1 to 255")
        }
        let ports = (variables.optional("haproxy_listen_port") ?? Ports()).customary(isSynchronous: isSynchronous)
        for port in ports.all { variables.check(port: port, of: "haproxy_listen_port") }
        let prefix = variables.optional("cluster_vip_prefix") ?? 24
        if !(1...32).contains(prefix) {
            variables.diagnostics.report(
                "the prefix \(prefix) is out of range", at: variables.location(of: "cluster_vip_prefix"),
                remedy: "write 1 to 32")
        }
        self.init(
            address: address,
            interface: variables.word("vip_interface", default: "eth0"),
            prefix: prefix, routerID: routerID,
            limits: Limits(&variables), timeouts: variables.optional("haproxy_timeout") ?? Timeouts(), ports: ports,
            checkInterval: checkInterval, extraLines: variables.optional("haproxy_extra_lines") ?? ExtraLines(),
            tags: variables.balancerTags(of: balancers, among: tags))
    }
}

extension ClusterConfiguration.Removal {
    /// The protection is lifted where the cluster is described, not by the command that would destroy it.
    init(_ variables: inout Variables) {
        let isProtected = variables.optional("cluster_protected") ?? true
        if let place = variables.locationFromCommandLine(of: "cluster_protected") {
            variables.diagnostics.report(
                "cluster_protected is not taken from the command line", at: place,
                remedy: "set it in the inventory, under the vars of 'all'")
        }
        self.init(
            isProtected: isProtected, postgres: variables.optional("remove_postgres") ?? true,
            etcd: variables.optional("remove_etcd") ?? true)
    }
}

extension Variables {
    /// The balancers, or none when they are switched off: then the group is not used.
    mutating func balancers(_ nodes: [Node]) -> [Node] {
        guard !nodes.isEmpty, optional("with_haproxy_load_balancing") == false else { return nodes }
        notes.append(
            Diagnostic(
                "with_haproxy_load_balancing is false, so the group 'balancers' is not used",
                at: location(of: "with_haproxy_load_balancing")))
        return []
    }

    /// A port, 1 to 65535.
    mutating func port(_ name: String, default customary: Int) -> Int {
        let port = optional(name) ?? customary
        check(port: port, of: name)
        return port
    }

    mutating func check(port: Int, of name: String) {
        if !(1...65_535).contains(port) {
            diagnostics.report("\(port) is no port", at: location(of: name), remedy: "write 1 to 65535")
        }
    }

    /// A text that means nothing else wherever it is written: letters, digits and a few signs.
    mutating func word(_ name: String, default customary: String) -> String {
        let word: String = optional(name) ?? customary
        if word.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.@-]*/) == nil {
            diagnostics.report(
                "'\(word)' cannot be \(name)", at: location(of: name),
                remedy: "use letters, digits, '_', '.', '@' and '-'")
        }
        return word
    }

    /// Names of Debian packages.
    mutating func packages(_ name: String) -> [String] {
        let packages: [String] = optional(name) ?? []
        for package in packages where package.wholeMatch(of: /[a-z0-9][a-z0-9+.-]+/) == nil {
            diagnostics.report(
                "'\(package)' cannot name a package", at: location(of: name),
                remedy: "use lower-case letters, digits, '+', '-' and '.'")
        }
        return packages
    }

    /// A password that the inventory gives, or that is kept beside it; nil when a fault was reported.
    mutating func password(_ name: String) -> Secret? {
        let password: DatabasePassword? = required(
            name,
            remedy: "set it under the vars of 'all'")
        return password?.secret
    }

    /// A login; nil when a fault was reported.
    mutating func login(
        _ name: String, default customary: String, password: String
    ) -> ClusterConfiguration.Login? {
        let user = word(name, default: customary)
        guard let secret = self.password(password) else { return nil }
        return ClusterConfiguration.Login(name: user, password: secret)
    }
}
