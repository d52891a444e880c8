import Certificates
public import Engine
public import Inventory
import Secrets
import SystemResources

extension Cluster {
    /// What hosts need before their daemons get certificates: whom they trust, and a key each.
    public func encryption(on hosts: [Host]) -> [Play] {
        guard let tls = configuration.tls else { return keepings }
        return keepings + [
            Play("Make private keys", on: hosts.filter(speaksTLS), tags: ["tls"]) { host in
                Directory(HostIdentity.folder)
                if let (authority, _) = authority, tls.isIssued {
                    File(HostIdentity.authority, containing: MaskedText(try authority.trust))
                }
                if let trust = try etcdTrust(on: host), tls.isIssued {
                    File(HostIdentity.etcdAuthority, containing: MaskedText(trust))
                }
                for (identity, _) in configuration.identities(of: host) {
                    PrivateKey(identity: identity, isMade: tls.isIssued, replacedBefore: certificatesReplacedBefore)
                }
            }
        ]
    }

    /// What a daemon shows itself by, if Drover issues that. The key is there, unless this is only planned yet.
    @ResourceBuilder
    func certificate(
        of node: Node, as identity: HostIdentity, by issuer: (CertificateAuthority, hindrance: Refusal?)?
    ) -> [any Resource] {
        if let (authority, hindrance) = issuer {
            IssuedCertificate(
                identity: identity, names: configuration.certificateNames(of: node, as: identity),
                authority: authority, hindrance: hindrance, now: now, replacedBefore: certificatesReplacedBefore)
        }
    }

    /// Whether it has a part that does when TLS is on.
    func speaksTLS(_ host: Host) -> Bool {
        !configuration.identities(of: host).isEmpty || balancer(host) != nil
    }

    /// Lets nothing be touched that speaks another language than the inventory wants: TLS is not switched under a running
    /// etcd, and hosts must trust an authority before it issues anything.
    ///
    /// - Parameter issues: whether certificates may be issued.
    /// - Throws: `Refusal` that explains what was found and what can be done.
    func refuseOtherEncryption(issues: Bool = true) throws {
        let certificates =
            issues ? [unknownAuthority, unfinishedSeparation].compactMap(\.self) + unfitCertificates : []
        if let refusal = Refusal(all: [otherEncryption].compactMap(\.self) + certificates) { throw refusal }
    }

    private var otherEncryption: Refusal? {
        let wants = configuration.tls != nil
        let others = configuration.hosts.flatMap { host in
            let found = observed[host].ifKnown(configuration.encryptionInUse)
            return [("etcd", found?.etcd), ("Patroni", found?.patroni)].compactMap { name, isEncrypted in
                isEncrypted.map { $0 != wants ? "\(name) on \(host.name)" : "" }
            }.filter { !$0.isEmpty }
        }
        guard !others.isEmpty else { return nil }
        return Refusal(
            "the cluster '\(configuration.name)' runs \(wants ? "without" : "with") TLS, and the inventory wants it "
                + "\(wants ? "with" : "without"): \(others.joined(separator: ", "))",
            remedies: [
                wants
                    ? "write tls_enable: false, and it stays as it is"
                    : "take tls_enable: false out, and it stays as it is",
                "a running cluster is not switched over: make a new one, and bring the data over by a backup",
            ])
    }

    /// An authority that running hosts do not trust yet would cut them off from each other.
    private var unknownAuthority: Refusal? {
        guard configuration.tls?.isIssued == true, let (shared, _) = authority else { return nil }
        let strangers = configuration.hosts.filter { host in
            let isAtWork = observed[host].ifKnown(configuration.encryptionInUse).map { $0 != .init() } ?? false
            return isAtWork
                && configuration.identities(of: host).contains { identity, _ in
                    guard let files = observed[host].ifKnown(IdentityFiles(identity: identity)),
                        let own = authority(of: identity)?.0
                    else { return false }
                    // An etcd that is not led over yet has both from the cluster's authority.
                    let isTrusted = files.trust.map((files.isApart ? own : shared).isTrusted) ?? false
                    let certificate = files.certificate.flatMap(HostCertificate.init)
                    let isAccepted = certificate.map { $0.isTrusted(by: own) || $0.isTrusted(by: shared) } ?? true
                    return !isTrusted || !isAccepted
                }
        }.map(\.name)
        guard !strangers.isEmpty else { return nil }
        return Refusal(
            "\(strangers.joined(separator: ", ")) run with certificates of another authority than the one that is to issue them",
            remedies: [
                "if secrets/\(configuration.name)/ca.crt and ca.key, or etcd-ca.crt and etcd-ca.key, are lost, bring them back",
                "for a new authority, put its certificate behind the old one in ca.crt, and apply; then put it first, its key "
                    + "in ca.key, and apply; then take the old one out",
            ])
    }

    /// What somebody else puts on the hosts must be there, and good.
    private var unfitCertificates: [Refusal] {
        guard configuration.tls?.isIssued == false else { return [] }
        return [incompleteSeparation].compactMap(\.self)
            + configuration.hosts.flatMap { host in
                configuration.identities(of: host).compactMap { identity, node -> Refusal? in
                    guard let found = observed[host].ifKnown(IdentityFiles(identity: identity)),
                        identity != .etcdClient || etcdClientIsApart(on: host)
                    else { return nil }
                    let names = configuration.certificateNames(of: node, as: identity)
                    guard let words = GivenCertificate.fault(of: found, names: names, now: now) else { return nil }
                    return Refusal(
                        "\(host.name): the certificate \(identity.certificate) cannot be used: \(words)",
                        remedies: [
                            "put it there, its key at \(identity.key) and the certificates of its authority at "
                                + "\(found.isApart ? identity.authority : HostIdentity.authority); it must stand for \(names.joined(separator: ", "))"
                        ])
                }
            }
    }
}

extension Cluster {
    /// A host that is new would trust one authority, and some members of etcd show certificates of the other.
    private var unfinishedSeparation: Refusal? {
        let isBegun = configuration.etcd.contains {
            observed[$0.host].ifKnown(IdentityFiles(identity: .etcd))?.isApart == true
        }
        guard !separatesEtcd, etcdSharesAuthority, isBegun else { return nil }
        let newcomers = configuration.hosts.filter { observed[$0].ifKnown(configuration.encryptionInUse) == .init() }
        guard !newcomers.isEmpty else { return nil }
        return Refusal(
            "etcd of the cluster '\(configuration.name)' is about to get an authority of its own, so "
                + "\(newcomers.map(\.name).joined(separator: ", ")) cannot join now",
            remedies: ["apply deploy-cluster without new hosts first"])
    }

    /// etcd and its clients trust an authority of their own on all hosts or on none.
    private var incompleteSeparation: Refusal? {
        var apart: [String: Bool] = [:]
        for host in configuration.hosts {
            for (identity, _) in configuration.identities(of: host) where identity != .postgres {
                guard let found = observed[host].ifKnown(IdentityFiles(identity: identity)) else { continue }
                apart[HostIdentity.etcdAuthority + " on \(host.name)"] = found.isApart
                if identity == .etcdClient {
                    apart["\(identity.certificate) on \(host.name)"] = found.certificate != nil
                }
            }
        }
        let missing = apart.filter { !$0.value }.keys.sorted()
        guard !missing.isEmpty, missing.count < apart.count else { return nil }
        return Refusal(
            "etcd has an authority of its own on some hosts only: \(missing.joined(separator: ", ")) is missing",
            remedies: [
                "put it there, or take \(HostIdentity.etcdAuthority) and \(HostIdentity.etcdClient.certificate) away"
            ])
    }
}

/// A certificate that somebody else has issued.
enum GivenCertificate {
    /// Why it cannot be used; nil when it can.
    static func fault(of found: IdentityFiles.Answer, names: [String], now: Int) -> String? {
        guard let trust = found.trust, let authority = try? CertificateAuthority(certificates: trust, key: nil) else {
            return "there is no authority to trust"
        }
        guard let text = found.certificate, let certificate = HostCertificate(text) else { return "there is none" }
        guard let key = found.publicKey, certificate.isOf(publicKey: key) else {
            return "there is no key of it, or no openssl to read that"
        }
        guard certificate.isTrusted(by: authority) else { return "another authority has issued it" }
        let missing = Set(names).subtracting(certificate.names).sorted()
        guard missing.isEmpty else { return "it does not stand for \(missing.joined(separator: ", "))" }
        return certificate.end < now ? "it has ended" : nil
    }
}

extension ClusterConfiguration {
    var encryptionInUse: EncryptionInUse {
        EncryptionInUse(etcdDirectory: etcdDirectory, dataDirectory: postgres.dataDirectory)
    }

    /// What tells how a host is encrypted.
    func encryptionQuestions(of host: Host) -> [any Fact] {
        let identities = identities(of: host)
        guard !identities.isEmpty else { return [] }
        return [encryptionInUse] + (tls == nil ? [] : identities.map { IdentityFiles(identity: $0.identity) })
    }
}
