import Certificates
import Engine
import Inventory

/// Decides what is wrong with the hosts of a cluster, and with their etcd.
struct HostFindings {
    let configuration: ClusterConfiguration
    let observed: Observations
    /// Seconds since 1970.
    let now: Int

    var all: [Finding] { clocks + disks + stores + certificates }

    /// A certificate, or the authority behind all of them, that ends soon.
    private var certificates: [Finding] {
        let texts = configuration.hosts.flatMap { host in
            configuration.identities(of: host).compactMap { identity, _ in
                observed[host].ifKnown(IdentityFiles(identity: identity)).map { (host.name, identity, $0) }
            }
        }
        let issued = texts.compactMap { host, identity, files in
            ending("the certificate \(identity.certificate) on \(host)", in: files.certificate, renewal)
        }
        return issued
            + [HostIdentity.authority, HostIdentity.etcdAuthority].flatMap { path in
                let trusted = texts.filter { ($0.2.isApart ? $0.1.authority : HostIdentity.authority) == path }
                return Set(trusted.compactMap { $0.2.trust }).sorted().compactMap { trust in
                    ending(
                        path == HostIdentity.authority
                            ? "the authority of all certificates" : "the authority of etcd's certificates", in: trust,
                        "put the certificate of a new one behind it in "
                            + "secrets/\(configuration.name)/\(path.split(separator: "/").last ?? "")")
                }
            }
    }

    private var renewal: String {
        configuration.tls?.isIssued == true
            ? "apply deploy-cluster: it issues a new one, and restarts nothing" : "put a new one in its place"
    }

    private func ending(_ what: String, in text: String?, _ remedy: String) -> Finding? {
        guard let certificate = text.flatMap(HostCertificate.init) else { return nil }
        let days = IssuedCertificate.days(from: now, to: certificate.end)
        guard days < IssuedCertificate.notice else { return nil }
        return Finding(
            .certificate, days < 7 ? .critical : .warning,
            days < 0 ? "\(what) has ended" : "\(what) ends in \(days) days", remedy)
    }

    private var clocks: [Finding] {
        let readings = configuration.hosts.compactMap { host in
            observed[host].ifKnown(ClockReading()).map { (host.name, $0) }
        }
        return ClockReading.deviations(among: readings).map {
            Finding(
                .clock, .warning, "the clock of \($0.host) is \($0.words) that of \($0.reference)",
                "let a time service set it (ntp_enabled: true)")
        }
    }

    /// In percent, from where on a disk is nearly full, and full.
    private static let fullness = (high: 85, full: 95)

    private var disks: [Finding] {
        configuration.members.compactMap { node in
            guard let fitness = observed[node.host].ifKnown(StatusReader.fitness(of: configuration)), fitness.size > 0
            else { return nil }
            let percent = (fitness.size - fitness.free) / (fitness.size / 100 + 1)
            guard percent >= HostFindings.fullness.high else { return nil }
            return Finding(
                .diskFull, percent >= HostFindings.fullness.full ? .critical : .warning,
                "the disk of \(configuration.postgres.dataDirectory) on \(node.name) is full to \(percent) %",
                "give it a larger one, or look what fills it: unused slots, a failing archive, old logs")
        }
    }

    private var stores: [Finding] {
        configuration.etcd.flatMap { node -> [Finding] in
            guard let metrics = observed[node.host].ifKnown(EtcdMetrics(endpoint: configuration.endpoint(of: node)))
            else { return [] }
            var findings: [Finding] = []
            if let size = metrics.size, let quota = metrics.quota, quota > 0, size * 5 >= quota * 4 {
                findings.append(
                    Finding(
                        .etcdSpace, size >= quota ? .critical : .warning,
                        "etcd on \(node.name) has \(size / 1_048_576) MB of the \(quota / 1_048_576) MB that it may have",
                        "compact and defragment it: `etcdctl compact`, `etcdctl defrag`, `etcdctl alarm disarm`"))
            }
            // A few belong to its start, and to those of the others.
            if let changes = metrics.leaderChanges, let uptime = metrics.uptime, changes > 10, changes * 3600 > uptime {
                findings.append(
                    Finding(
                        .etcdLeaderChanges, .warning,
                        "the leader of etcd has changed \(changes) times in \(uptime / 60) minutes, as "
                            + "\(node.name) has seen",
                        "look for a slow disk or network: each change may cost PostgreSQL its leader"))
            }
            return findings
        }
    }
}
