import Engine
import Inventory
import SystemResources

extension Preflight {
    /// What a host is and has.
    func onHost(_ node: Node) -> [PreflightFinding] {
        let facts = cluster.observed[node.host]
        var findings: [PreflightFinding] = []
        func find(_ check: PreflightCheck, _ text: String) {
            findings.append(PreflightFinding(check: check, host: node.name, text: text))
        }
        if let fitness = facts.ifKnown(questions.fitness) {
            if let text = systemRefusal(of: node) { find(.system, text) }
            if fitness.initialProcess != "systemd" {
                find(.system, "the first process is \(fitness.initialProcess): the daemons are run by systemd")
            }
            if isNewMember(node, given: facts) { checkRoom(fitness, find) }
            if let limit = fitness.openFiles { checkFiles(of: node, limit, find) }
        }
        // What is made by hand hides the unit of the package (systemd.unit(5)), and reads other files than those of Drover.
        for unit in questions.units(of: node.host) {
            guard let path = facts.ifKnown(unit)?.path, path.hasPrefix("/etc/systemd/system/") else { continue }
            find(
                .units,
                "\(path) hides the unit of Debian's package: another tool has set up this daemon. To take over its data see "
                    + "'Take over a running cluster' in the documentation; if it is left over, remove the file")
        }
        let postgres = configuration.postgres
        if isNewMember(node, given: facts), let locales = facts.ifKnown(GeneratedLocales()),
            !["C", "POSIX"].contains(postgres.locale),
            !locales.union(configuration.system.locales.map(GeneratedLocales.spelling))
                .contains(GeneratedLocales.spelling(of: postgres.locale))
        {
            find(
                .locale,
                "there is no locale \(postgres.locale): generate it (locale_gen), or choose another postgresql_locale")
        }
        if isEtcd(node), hasLeftEtcd(facts) {
            find(
                .leftovers,
                "\(configuration.etcdDirectory) holds the data of an etcd that does not run and is not enabled: what it "
                    + "knows would come to life again; move it away, or start etcd there, so that what it knows can be seen"
            )
        }
        if let supplied = questions.supplied(to: node.host, given: facts), let answer = facts.ifKnown(supplied),
            let obstacle = supplied.obstacle(answer)
        {
            find(.packages, obstacle)
        }
        if isMember(node) { checkFencing(facts, find) }
        let sounding = questions.sounding(of: node.host, given: facts)
        if let answer = facts.ifKnown(sounding) {
            let missing = sounding.packages.filter { answer.candidates[$0] == nil }
            let why = answer.complaint.map { " (apt: \($0))" } ?? ""
            if !missing.isEmpty {
                find(
                    .packages,
                    "no repository of the host offers \(missing.joined(separator: ", "))\(why)"
                        + shippedVersion(ifMissing: missing) + ": add one that does, see /etc/apt/sources.list.d")
            }
        }
        return findings
    }

    /// Why a host's system cannot be that of the cluster.
    private func systemRefusal(of node: Node) -> String? {
        guard let release = cluster.observed[node.host].ifKnown(HostRelease()) else { return nil }
        if let refusal = Platform.refusal(of: release) { return refusal }
        guard isMember(node),
            let other = configuration.members.first(where: { $0.name != node.name }),
            let otherRelease = cluster.observed[other.host].ifKnown(HostRelease()),
            Platform.refusal(of: otherRelease) == nil, release != otherRelease
        else { return nil }
        return "this is \(release.words), and \(other.name) has \(otherRelease.words): their C libraries may sort text "
            + "differently, which breaks indexes; install the same release on all members"
    }

    /// Which PostgreSQL the system has, if the wanted one is missing.
    private func shippedVersion(ifMissing missing: [String]) -> String {
        let postgres = configuration.postgres
        guard missing.contains(postgres.package), postgres.version != configuration.platform.postgres.version else {
            return ""
        }
        return " (\(configuration.platform.name) has PostgreSQL \(configuration.platform.postgres.version))"
    }

    private func checkFencing(_ facts: Facts, _ find: (PreflightCheck, String) -> Void) {
        if facts.ifKnown(questions.watchdog) == false {
            find(
                .fencing,
                "patroni_watchdog_mode is required, and there is neither /dev/watchdog nor the module softdog: no member "
                    + "could lead; give the host a watchdog, or set patroni_watchdog_mode: automatic")
        }
    }

    private func checkFiles(of node: Node, _ limit: Int, _ find: (PreflightCheck, String) -> Void) {
        if isBalancer(node), let connections = configuration.balancing.limits.global {
            let needed = ClusterConfiguration.Balancing.Limits.files(for: connections)
            if limit < needed {
                find(
                    .openFiles,
                    "a process may open \(limit) files, and HAProxy needs \(needed): set haproxy_maxconn_global to "
                        + "\(max(0, (limit - ClusterConfiguration.sparedFiles) / 2)) or less")
            }
        }
        if isMember(node), limit < configuration.poolerFiles {
            find(
                .openFiles,
                "a process may open \(limit) files, and PgBouncer needs \(configuration.poolerFiles): set "
                    + "pgbouncer_max_client_conn to \(configuration.poolerClients(within: limit)) or less")
        }
    }

    private func checkRoom(_ fitness: HostFitness.Answer, _ find: (PreflightCheck, String) -> Void) {
        let postgres = configuration.postgres
        let needed = postgres.size(of: "max_wal_size", unit: 1_048_576) ?? 1_073_741_824
        if fitness.free < needed {
            find(
                .disk,
                "\(Preflight.megabytes(fitness.free)) are free for \(postgres.dataDirectory), and its log alone may grow to "
                    + "max_wal_size, \(Preflight.megabytes(needed)): give it a larger disk")
        }
        let shared = postgres.size(of: "shared_buffers", unit: 8192) ?? 134_217_728
        if fitness.memory > 0, shared > fitness.memory / 4 * 3 {
            find(
                .memory,
                "shared_buffers are \(Preflight.megabytes(shared)), and the host has \(Preflight.megabytes(fitness.memory)) "
                    + "of memory: a quarter of that is customary, three quarters are the most")
        }
    }

    /// Pools that together open more connections than there are make clients fail when there are most of them.
    var pools: [PreflightFinding] {
        let postgres = configuration.postgres
        let limit = postgres.clientConnections
        let count = configuration.databases.count
        let sum = configuration.databases.reduce(0) { $0 + configuration.pooler.poolSize(of: $1.name) }
        guard sum > limit else { return [] }
        return [
            PreflightFinding(
                check: .pool,
                text:
                    "the pools of \(count) databases may open \(sum) connections, pgbouncer_default_pool_size for each, and "
                    + "PostgreSQL lets in \(limit): set max_connections to \(sum + postgres.reservedConnections) or more in "
                    + "postgresql_parameters, or the size to \(max(1, limit / max(1, count))) or less")
        ]
    }

    private var configuration: ClusterConfiguration { cluster.configuration }

    private func isEtcd(_ node: Node) -> Bool { configuration.etcd.contains { $0.name == node.name } }
    private func isMember(_ node: Node) -> Bool { configuration.members.contains { $0.name == node.name } }
    private func isBalancer(_ node: Node) -> Bool { configuration.balancers.contains { $0.name == node.name } }

    /// A member that has no database yet.
    private func isNewMember(_ node: Node, given facts: Facts) -> Bool {
        configuration.members.contains { $0.name == node.name }
            && facts.ifKnown(ClusterQuestions(configuration: configuration).directory) == .empty
    }

    private func hasLeftEtcd(_ facts: Facts) -> Bool {
        guard let unit = facts.ifKnown(UnitStatus("etcd.service")),
            let data = facts.ifKnown(FileStatus(configuration.etcdDirectory + "/member"))
        else { return false }
        return data != nil && unit.active == "inactive" && unit.unitFile != "enabled"
    }

    static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_048_576) MB" }
}

extension ClusterConfiguration.Postgres {
    /// How many connections are kept for superusers (PostgreSQL 15: three unless set).
    var reservedConnections: Int { number("superuser_reserved_connections") ?? 3 }

    /// How many connections clients may have (PostgreSQL 15: a hundred unless set, less those that are kept).
    var clientConnections: Int { (number("max_connections") ?? 100) - reservedConnections }

    /// What a parameter is set to, when that is a number.
    func number(_ name: String) -> Int? { parameters.last { $0.name == name }.flatMap { Int($0.value) } }

    /// What a parameter is set to, in bytes.
    ///
    /// - Parameter unit: in how many bytes PostgreSQL counts it when no unit is written.
    func size(of name: String, unit: Int) -> Int? {
        guard let value = parameters.last(where: { $0.name == name })?.value,
            let match = value.wholeMatch(of: /([0-9]+) *(B|kB|MB|GB|TB)?/), let number = Int(match.1)
        else { return nil }
        let units = ["B": 1, "kB": 1024, "MB": 1_048_576, "GB": 1_073_741_824, "TB": 1_099_511_627_776]
        let (size, isTooLarge) = number.multipliedReportingOverflow(by: match.2.flatMap { units[String($0)] } ?? unit)
        return isTooLarge ? .max : size
    }
}
