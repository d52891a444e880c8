import Certificates
import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("The authority of etcd")
struct EtcdAuthorityTests {
    private static let now = 1_795_000_000
    private static let key = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEogcK5DYwTfNXvtSBoxDgRPtkj724
        1qOA9yRCjPGYkl2T1J9bYjcx9vnb9+DyZQnF+CWHsY2F2ljwxCsa1vd6Mg==
        -----END PUBLIC KEY-----

        """
    private let shared: CertificateAuthority
    private let own: CertificateAuthority
    private var both: String { get throws { try own.trust + shared.trust } }

    init() throws {
        shared = try CertificateAuthority(named: "demo", at: Self.now)
        own = try CertificateAuthority(named: "etcd of demo", at: Self.now)
    }

    /// How far a cluster of three hosts is led over.
    enum Stage: CaseIterable {
        case earlier, trustsBoth, clients, certificates, done
    }

    /// - Parameters:
    ///   - count: how many hosts have come to the stage; the others are at the one before it.
    private func cluster(
        _ stage: Stage, _ count: Int = 3, separates: Bool = true, isIssued: Bool = true
    ) throws -> Cluster {
        let text = Sample.text(Sample.variables + ["tls_cert_generate: \(isIssued)"])
        var cluster = try Sample.cluster(text, tls: true) { observed, configuration in
            for (index, host) in configuration.hosts.enumerated() {
                let level = Stage.allCases.firstIndex(of: stage).map { index < count ? $0 : $0 - 1 } ?? 0
                func issued(_ authority: CertificateAuthority, _ identity: HostIdentity) throws -> String? {
                    let node = configuration.identities(of: host).first { $0.identity == identity }?.node
                    return try node.flatMap {
                        try authority.issue(
                            to: configuration.certificateNames(of: $0, as: identity), publicKey: Self.key, at: Self.now)
                    }
                }
                let trust = try? level == 0 ? shared.trust : level < 4 ? both : own.trust
                let answers: [(HostIdentity, String?)] = [
                    (.etcd, try? issued(level < 3 ? shared : own, .etcd)),
                    (.etcdClient, level < 2 ? nil : try? issued(own, .etcdClient)),
                ]
                for (identity, certificate) in answers {
                    observed[host].record(
                        .init(certificate: certificate, publicKey: Self.key, trust: trust, isApart: level > 0),
                        to: IdentityFiles(identity: identity))
                }
                observed[host].record(.init(etcd: true, patroni: true), to: configuration.encryptionInUse)
            }
        }
        if isIssued { (cluster.authority, cluster.etcdAuthority) = ((shared, nil), (own, nil)) }
        (cluster.now, cluster.separatesEtcd) = (Self.now, separates)
        return cluster
    }

    private static let points: [(stage: Stage, count: Int, shares: Bool, isUnderWay: Bool)] = [
        (.earlier, 3, true, true), (.trustsBoth, 1, true, true), (.trustsBoth, 3, true, true),
        (.clients, 1, true, true), (.clients, 3, true, true), (.certificates, 1, true, true),
        (.certificates, 3, false, true), (.done, 1, false, true), (.done, 3, false, false),
    ]

    @Test(
        "hosts trust both authorities until all have certificates of the new one, wherever a run ended",
        arguments: points)
    func states(stage: Stage, count: Int, shares: Bool, isUnderWay: Bool) throws {
        let cluster = try cluster(stage, count)
        let hosts = cluster.configuration.hosts
        #expect(cluster.etcdSharesAuthority == shares)
        #expect(try cluster.etcdSeparation.allSatisfy { ($0.hosts.count == 3) == isUnderWay })
        for (index, host) in hosts.enumerated() {
            let isDone = stage == .done && index < count
            #expect(try cluster.etcdTrust(on: host) == (isDone ? own.trust : both), "\(host.name)")
            #expect(cluster.etcdFiles(on: host).authority == HostIdentity.etcdAuthority)
            #expect(cluster.etcdClient(on: host) == .etcdClient)
            let node = try #require(cluster.etcdNode(host))
            for resource in cluster.etcdCertificate(of: node) {
                #expect(try resource.changes(given: cluster.observed[host], after: PendingEffects()).isEmpty)
            }
        }
        #expect(throws: Never.self) { try cluster.refuseOtherEncryption() }
    }

    @Test("a playbook that does not lead etcd over leaves each host as it is", arguments: points)
    func others(stage: Stage, count: Int, shares: Bool, isUnderWay: Bool) throws {
        let cluster = try cluster(stage, count, separates: false)
        #expect(try cluster.etcdSeparation.allSatisfy(\.hosts.isEmpty))
        for (index, host) in cluster.configuration.hosts.enumerated() {
            let level = try #require(Stage.allCases.firstIndex(of: stage)) - (index < count ? 0 : 1)
            #expect(
                cluster.etcdFiles(on: host).authority
                    == (level < 1 ? HostIdentity.authority : HostIdentity.etcdAuthority))
            #expect(cluster.etcdClient(on: host) == (level < 2 ? .postgres : .etcdClient))
            #expect(
                try cluster.patroniEtcdSettings(on: host).map(\.path) == (level < 2 ? nil : PatroniEtcdSettings.path))
            let trust = try level < 1 ? nil : level < 4 ? both : own.trust
            #expect(try cluster.etcdTrust(on: host) == trust)
        }
        #expect(throws: Never.self) { try cluster.refuseOtherEncryption() }
    }

    @Test("a new cluster trusts its own authority from the beginning")
    func new() throws {
        var cluster = try Sample.cluster(tls: true)
        (cluster.authority, cluster.etcdAuthority) = ((shared, nil), (own, nil))
        cluster.separatesEtcd = true
        let host = cluster.configuration.hosts[0]
        #expect(try cluster.etcdTrust(on: host) == own.trust)
        #expect(try cluster.etcdSeparation.allSatisfy(\.hosts.isEmpty))
    }

    @Test("where others issue certificates, etcd has an authority of its own on all hosts or on none")
    func given() throws {
        func reason(_ cluster: Cluster) -> String? {
            #expect(throws: Refusal.self) { try cluster.refuseOtherEncryption() }?.reason
        }
        let earlier = try cluster(.earlier, isIssued: false)
        #expect(earlier.etcdFiles(on: earlier.configuration.hosts[0]).authority == HostIdentity.authority)
        #expect(earlier.etcdClient(on: earlier.configuration.hosts[0]) == .postgres)
        #expect(throws: Never.self) { try earlier.refuseOtherEncryption() }
        #expect(throws: Never.self) { try cluster(.clients, isIssued: false).refuseOtherEncryption() }
        #expect(
            reason(try cluster(.clients, 2, isIssued: false))?.contains(
                "on some hosts only: /etc/ssl/drover/etcd-client.crt on pg3 is missing") == true)
    }

    @Test("a host that is to join an etcd that is being led over waits for that")
    func newcomer() throws {
        func joining(_ stage: Stage) throws -> Cluster {
            var cluster = try cluster(stage, separates: false)
            let host = cluster.configuration.hosts[2]
            var observed = cluster.observed
            observed[host] = Facts()
            observed[host].record(.init(), to: cluster.configuration.encryptionInUse)
            let now = cluster.now
            cluster = Cluster(
                configuration: cluster.configuration, state: cluster.state, observed: observed,
                templates: cluster.templates)
            (cluster.authority, cluster.etcdAuthority, cluster.now) = ((shared, nil), (own, nil), now)
            return cluster
        }
        #expect(throws: Never.self) { try joining(.earlier).refuseOtherEncryption() }
        #expect(throws: Never.self) { try joining(.done).refuseOtherEncryption() }
        #expect(throws: Refusal.self) { try joining(.trustsBoth).refuseOtherEncryption() }
    }
}
