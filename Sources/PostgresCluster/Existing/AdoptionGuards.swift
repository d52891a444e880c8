import Engine
import Inventory
import SystemResources

extension Cluster {
    /// Lets a server that stands alone become the leader only when it can, and when all others can be cloned from it; and
    /// lets nobody's database become the leader unasked.
    ///
    /// - Throws: `Refusal` with everything that stands in the way.
    public func refuseUnfitServer() throws {
        let obstacles = strayObstacles + adoptionObstacles
        if obstacles.isEmpty { return }
        throw Refusal(
            "the cluster '\(configuration.name)' cannot begin with the PostgreSQL that there is", remedies: obstacles)
    }

    /// A member with a database and without Patroni, while nobody leads.
    private var strayObstacles: [String] {
        guard case .running(nil, let withDatabase) = state, adoption == nil else { return [] }
        return configuration.members.filter { node in
            withDatabase.contains(node.name) && !hasPatroni(node)
        }.map { node in
            let isMeant = node.name == configuration.existingServer
            return isMeant
                ? "the PostgreSQL of \(node.name) does not run, so that its settings cannot be seen: start it"
                : "\(node.name) has a database in \(configuration.postgres.dataDirectory), and no Patroni: if it is to lead the "
                    + "cluster, put it into 'master' and set postgresql_exists: true for it; if it is not needed, move the "
                    + "directory away"
        }
    }

    /// While it is not known, it is not held against it.
    private func hasPatroni(_ node: Node) -> Bool {
        observed[node.host].ifKnown(PackageStatus("patroni")).map { $0.version != nil } ?? true
    }

    private var adoptionObstacles: [String] {
        if state == .new, let name = configuration.existingServer {
            return [
                "postgresql_exists is set for \(name), and there is no database in \(configuration.postgres.dataDirectory): "
                    + "name the directory with postgresql_data_dir, or take the variable away for a new cluster"
            ]
        }
        guard let name = configuration.existingServer,
            let node = configuration.members.first(where: { $0.name == name })
        else { return [] }
        if let answer = observed[node.host].ifKnown(Adoption.question(in: configuration)), answer.identity == nil,
            answer.listening != nil, !ClusterQuestions(configuration: configuration).isServed(node, given: observed)
        {
            return [
                "\(name): psql is not let in as postgres over the socket: put 'local all postgres peer' first into pg_hba.conf"
                    + (answer.complaint.map { " (\($0))" } ?? "")
            ]
        }
        return adoption.map { $0.obstacles + $0.storeObstacles } ?? []
    }
}

extension Adoption {
    /// What stands in the way.
    var obstacles: [String] {
        var found: [String] = []
        let name = node.name
        let postgres = cluster.configuration.postgres
        if server.identity?.inRecovery == true {
            found.append("\(name) is a standby of another server: name the one that it follows, or promote it first")
        }
        if let version = server.identity?.version, version.prefix(while: \.isNumber) != "\(postgres.version)" {
            found.append("\(name) runs PostgreSQL \(version), and the cluster \(postgres.version): upgrade it before")
        }
        if let listening = server.listening {
            if listening.port != postgres.port {
                found.append("\(name) listens at port \(listening.port): set postgresql_port: \(listening.port)")
            }
            if listening.socketDirectory != "/var/run/postgresql" {
                found.append(
                    "\(name) has its socket in '\(listening.socketDirectory)': let it be in /var/run/postgresql, where the "
                        + "cluster looks for it (unix_socket_directories)")
            }
        }
        let strange = server.slots.subtracting(cluster.configuration.patroni.slots.map(\.name))
            .subtracting(cluster.configuration.members.map { ReplicationSlot.name(of: $0.name) })
        if !strange.isEmpty {
            found.append(
                "\(name) has the replication slots \(strange.sorted().joined(separator: ", ")), which Patroni would drop: name "
                    + "them in patroni_slots, or drop them")
        }
        if cluster.configuration.patroni.synchronous.isStrict {
            found.append(
                "with synchronous_mode_strict nobody could write until the first replica is cloned: set it when the "
                    + "cluster stands")
        }
        return found + newcomers
    }

    /// What keeps the others from being cloned.
    private var newcomers: [String] {
        let configuration = cluster.configuration
        let growth = GrowthQuestions(configuration: configuration)
        guard var capacity = cluster.observed[node.host].ifKnown(growth.capacity),
            let leaderHost = cluster.observed[node.host].ifKnown(growth.leaderFitness)
        else { return [] }
        // With as many it runs when they are cloned.
        func limit(_ name: String) -> Int {
            let wanted = (settings.shared + configuration.postgres.parameters).last { $0.name == name }
            return wanted.flatMap { Int($0.value) } ?? 10
        }
        capacity.senderLimit = limit("max_wal_senders")
        capacity.slotLimit = limit("max_replication_slots")
        return cluster.newcomers.flatMap { node -> [String] in
            guard let host = cluster.observed[node.host].ifKnown(growth.fitness),
                let locales = cluster.observed[node.host].ifKnown(GeneratedLocales())
            else { return [] }
            let generated = configuration.system.locales.map(GeneratedLocales.spelling)
            return Admission(
                name: node.name, address: node.address, membership: cluster.membership, leader: capacity,
                leaderHost: leaderHost, host: host, locales: locales.union(generated)
            ).obstacles
        }
    }

    /// A configuration of an earlier cluster would be followed. Once Patroni is at work it has written its own.
    var storeObstacles: [String] {
        let configuration = cluster.configuration
        let questions = ClusterQuestions(configuration: configuration)
        let isBegun =
            cluster.observed[node.host].ifKnown(PackageStatus("patroni")).map { $0.version != nil } ?? true
        guard !isBegun, !questions.isServed(node, given: cluster.observed) else { return [] }
        let isThere = configuration.etcd.contains { member in
            cluster.observed[member.host].ifKnown(questions.sharedKey(at: member))?
                .json(EtcdStatus.Range.self)?.text != nil
        }
        return isThere
            ? [
                "etcd has the configuration of an earlier cluster of this name: remove it with "
                    + "`etcdctl del --prefix \(configuration.path)`"
            ] : []
    }
}

extension Preflight {
    /// What of a server that stands alone would not be as before, and cannot be put right here.
    var standAlone: [PreflightFinding] {
        guard let adoption = cluster.adoption else { return [] }
        let (node, server, configuration) = (adoption.node, adoption.server, cluster.configuration)
        var findings: [PreflightFinding] = []
        func find(_ text: String, on host: String? = nil) {
            findings.append(PreflightFinding(check: .existing, host: host ?? node.name, text: text))
        }
        let known = Set(configuration.users.filter { $0.password != nil }.map(\.name))
            .union([configuration.patroni.superuser.name, configuration.patroni.replication.name])
            .union([configuration.pooler.login.name])
        let old = server.oldPasswords.subtracting(known)
        if !old.isEmpty {
            find(
                "the passwords of \(old.sorted().joined(separator: ", ")) are kept as MD5, with which nobody gets in by "
                    + "scram-sha-256: set them anew with password_encryption = 'scram-sha-256', or name them in postgresql_users"
            )
        }
        let pending = server.settings.filter(\.value.waits).keys.sorted()
        if !pending.isEmpty {
            find(
                "\(pending.joined(separator: ", ")) would change with the restart, for the files say something else than what is "
                    + "in force: restart it before, or take that back")
        }
        if !server.standbys.isEmpty {
            find(
                "\(server.standbys.sorted().joined(separator: ", ")) streams from it, and is no member: it will not be let in any "
                    + "more unless postgresql_pg_hba does")
        }
        let packages = cluster.observed[node.host].ifKnown(adoption.packages) ?? []
        let lacking = packages.subtracting(configuration.postgres.packages)
        if !lacking.isEmpty, !cluster.newcomers.isEmpty {
            find(
                "it has extensions of \(lacking.sorted().joined(separator: ", ")): name these in postgresql_packages, so that "
                    + "the other members have them too")
        }
        for other in cluster.newcomers {
            let missing = adoption.neededPaths.filter { path in
                cluster.observed[other.host].ifKnown(FileStatus(path)).map { $0 == nil } ?? false
            }
            if !missing.isEmpty {
                find(
                    "\(missing.joined(separator: ", ")) of \(node.name) must be there too: put it there",
                    on: other.name)
            }
        }
        return findings
    }
}

extension Adoption {
    var packages: ExtensionPackages { ExtensionPackages(version: cluster.configuration.postgres.version) }

    /// What a replica must have that is not in the data directory.
    var neededPaths: [String] { settings.files + server.tablespaces.sorted() }
}
