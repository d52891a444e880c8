import Certificates
public import Engine
import Inventory
import Secrets
import SystemResources

/// The drop-in that tells Patroni by which files it speaks to etcd. It reads these only when it starts, so that a change of
/// the drop-in restarts it; for `patronictl` they stand in its configuration file too.
struct PatroniEtcdSettings: ConfigurationFile {
    static let template = "patroni.etcd.conf"
    static let path = "/etc/systemd/system/patroni.service.d/etcd.conf"

    let tls: TLSFiles
}

/// etcd and its clients have a CA of their own, because etcd admits every client with a certificate of the CA that it trusts.
/// Its option for the names of clients locks out its own JSON gateway, which Patroni uses (etcd 3.4.23).
///
/// Earlier versions had etcd trust the authority of the cluster. `deploy-cluster` leads such an etcd over in steps, each of
/// which leaves a cluster that works: all members trust both authorities, each after a restart of its own; Patroni gets a
/// certificate for etcd; the members show certificates of the new authority; they trust that one alone. Other playbooks leave
/// each host as it is.
extension Cluster {
    /// The authority of an identity.
    func authority(of identity: HostIdentity) -> (CertificateAuthority, hindrance: Refusal?)? {
        identity == .postgres ? authority : etcdAuthority
    }

    /// Whether a member of etcd that runs still has a certificate of the cluster's authority.
    var etcdSharesAuthority: Bool {
        guard let own = etcdAuthority?.0 else { return false }
        return configuration.etcd.contains { node in
            guard observed[node.host].ifKnown(configuration.encryptionInUse)?.etcd == true,
                let certificate = found(.etcd, on: node.host)?.certificate.flatMap(HostCertificate.init)
            else { return false }
            return !certificate.isTrusted(by: own)
        }
    }

    /// Whether etcd on a host trusts an authority of its own, or shall do so after this run.
    func etcdIsApart(on host: Host) -> Bool { isApart(found(.etcd, on: host)?.isApart) }

    /// Whether the Patroni of a host has a certificate of that authority, or shall have one after this run.
    func etcdClientIsApart(on host: Host) -> Bool {
        isApart(found(.etcdClient, on: host).map { $0.certificate != nil })
    }

    private func isApart(_ found: Bool?) -> Bool {
        let isWanted = configuration.tls?.isIssued != false && (separatesEtcd || !etcdSharesAuthority)
        return isWanted || found ?? true
    }

    /// The files by which etcd on a host speaks TLS.
    func etcdFiles(on host: Host) -> TLSFiles {
        TLSFiles(.etcd, trusting: etcdIsApart(on: host) ? nil : HostIdentity.authority)
    }

    /// As whom a member speaks to etcd.
    func etcdClient(on host: Host) -> HostIdentity { etcdClientIsApart(on: host) ? .etcdClient : .postgres }

    /// What tells Patroni of them; none without TLS, or where it has those of the cluster.
    func patroniEtcdSettings(on host: Host) throws -> UnitDropIn? {
        guard configuration.tls != nil, !configuration.etcd.isEmpty, etcdClientIsApart(on: host) else { return nil }
        return try UnitDropIn(
            "patroni", "etcd", containing: templates.render(PatroniEtcdSettings(tls: TLSFiles(.etcdClient))))
    }

    /// What an etcd shows that is about to begin, or to trust both authorities: those that do not trust its own yet must
    /// accept it.
    @ResourceBuilder
    func etcdCertificate(of node: Node) -> [any Resource] {
        let present = found(.etcd, on: node.host)?.certificate.flatMap(HostCertificate.init)
        let isNew = etcdAuthority.flatMap { own, _ in present?.isTrusted(by: own) } ?? false
        certificate(of: node, as: .etcd, by: etcdSharesAuthority && !isNew ? authority : etcdAuthority)
    }

    /// What a host is to trust in etcd.
    ///
    /// - Returns: in PEM; nil where Drover does not see to that.
    func etcdTrust(on host: Host) throws -> String? {
        let uses = configuration.identities(of: host).map(\.identity)
        guard let (own, _) = etcdAuthority, let both = try bothAuthorities,
            uses.contains(.etcd) && etcdIsApart(on: host) || uses.contains(.etcdClient) && etcdClientIsApart(on: host)
        else { return nil }
        return try etcdSharesAuthority || etcdTrust(foundOn: host) == both ? both : own.trust
    }

    private var bothAuthorities: String? {
        get throws {
            guard let own = etcdAuthority?.0, let shared = authority?.0 else { return nil }
            return try own.trust + shared.trust
        }
    }

    private func etcdTrust(foundOn host: Host) -> String? {
        [.etcd, .etcdClient].lazy.compactMap { found($0, on: host) }.first { $0.isApart }?.trust
    }

    private func found(_ identity: HostIdentity, on host: Host) -> IdentityFiles.Answer? {
        observed[host].ifKnown(IdentityFiles(identity: identity))
    }

    /// The last steps: all members of etcd and all its clients trust both authorities.
    public var etcdSeparation: [Play] {
        get throws {
            let both = try bothAuthorities
            let isUnderWay =
                separatesEtcd
                && (etcdSharesAuthority
                    || both != nil && configuration.hosts.contains { etcdTrust(foundOn: $0) == both })
            let hosts = isUnderWay ? configuration.hosts.filter { etcdNode($0) != nil || member($0) != nil } : []
            return [
                Play("Give etcd certificates of its own authority", on: hosts, tags: ["etcd"]) { host in
                    if let node = etcdNode(host) { certificate(of: node, as: .etcd, by: etcdAuthority) }
                },
                Play("Let etcd trust its own authority alone", on: hosts, .rolling, tags: ["etcd"]) { host in
                    if let (own, _) = etcdAuthority {
                        File(HostIdentity.etcdAuthority, containing: MaskedText(try own.trust))
                    }
                    if let node = etcdNode(host) {
                        othersOfEtcdAreHealthy(besides: node)
                        etcdService(on: host)
                        etcdHasQuorum(at: configuration.endpoint(of: node))
                    }
                },
            ]
        }
    }

    /// Holds when etcd can do without a member while that is restarted.
    @ResourceBuilder
    func othersOfEtcdAreHealthy(besides node: Node) -> [any Resource] {
        let others = configuration.etcd.filter { $0.name != node.name }.map { configuration.endpoint(of: $0) }
        if !others.isEmpty {
            Condition(
                "the other members of etcd are healthy", signs: others.map(EtcdStatus.health),
                test: others.map { $0.curl("/health", "--fail --max-time 2") }.joined(separator: " && "), unit: nil,
                timeout: 60, unsettlingFiles: [HostIdentity.etcdAuthority, "/etc/default/etcd"]
            ) { facts in
                try others.allSatisfy {
                    try facts[EtcdStatus.health(at: $0)].json(EtcdStatus.Health.self)?.health == "true"
                }
            }
        }
    }
}
