import Certificates
import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Encryption")
struct EncryptionTests {
    private static let now = 1_795_000_000
    private static let names = ["pg1", "10.0.0.1"]
    private static let (key, otherKey) = (
        publicKey(
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEogcK5DYwTfNXvtSBoxDgRPtkj7241qOA9yRCjPGYkl2T1J9bYjcx9vnb9+DyZQnF+CWHsY2F2ljwxCsa1vd6Mg=="
        ),
        publicKey(
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfgZqgQacKQp7Z2WpzlVugf1LVW9KOegYa4cOKm7+WQOg9cLN4nNGiJa+FJdGUPNTQyjVL4TJ5GKf9ZRb3WPa+w=="
        )
    )

    private static func publicKey(_ text: String) -> String {
        "-----BEGIN PUBLIC KEY-----\n\(text.prefix(64))\n\(text.dropFirst(64))\n-----END PUBLIC KEY-----\n"
    }

    private static func files(
        _ authority: CertificateAuthority, names: [String] = names, key: String = key, at now: Int = now
    ) throws -> IdentityFiles.Answer {
        .init(
            certificate: try authority.issue(to: names, publicKey: key, at: now), publicKey: Self.key,
            trust: try authority.trust)
    }

    private static let faults: [(name: String, days: Int, fault: IssuedCertificate.Fault?)] = [
        ("fresh", 0, nil), ("30 days left", 795, nil), ("29 days left", 796, .ends(29)), ("ended", 826, .ends(-1)),
    ]

    @Test("a certificate is issued anew 30 days before its end", arguments: faults)
    func ends(name: String, days: Int, fault: IssuedCertificate.Fault?) throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        #expect(
            IssuedCertificate.fault(
                of: try Self.files(authority), names: Self.names, authority: authority, now: Self.now + days * 86_400)
                == fault)
    }

    @Test("one that ends with its authority is left, for a new one would be no better")
    func lastOne() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let late = authority.end - 10 * 86_400
        let files = try Self.files(authority, at: late)
        #expect(IssuedCertificate.fault(of: files, names: Self.names, authority: authority, now: late) == nil)
    }

    @Test("a certificate is issued anew when it is not what it should be")
    func others() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let other = try CertificateAuthority(named: "demo", at: Self.now)
        func fault(_ files: IdentityFiles.Answer) -> IssuedCertificate.Fault? {
            IssuedCertificate.fault(of: files, names: Self.names, authority: authority, now: Self.now)
        }
        #expect(fault(.init(certificate: nil, publicKey: Self.key)) == .missing)
        #expect(fault(.init(certificate: "rubbish", publicKey: Self.key)) == .missing)
        #expect(fault(try Self.files(authority, key: Self.otherKey)) == .otherKey)
        #expect(fault(.init(certificate: try Self.files(authority).certificate, publicKey: nil)) == .otherKey)
        #expect(fault(try Self.files(other)) == .otherAuthority)
        #expect(fault(try Self.files(authority, names: ["pg1", "10.0.0.2"])) == .otherNames)
    }

    @Test("what is issued converges, and makes no saved plan stale")
    func issues() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let resource = IssuedCertificate(
            identity: .etcd, names: Self.names, authority: authority, hindrance: nil, now: Self.now)
        var facts = Facts()
        facts.record(.init(publicKey: Self.key), to: IdentityFiles(identity: .etcd))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == ["issue the certificate /etc/ssl/drover/etcd.crt (there is none)"])
        #expect(
            try resource.changes(given: facts, after: PendingEffects()).map(\.script.description)
                == changes.map(\.script.description))
        facts.record(try Self.files(authority), to: IdentityFiles(identity: .etcd))
        #expect(try resource.changes(given: facts, after: PendingEffects()).isEmpty)
    }

    @Test("without its key an authority issues nothing, which is told only when it should")
    func hindrance() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        let resource = IssuedCertificate(
            identity: .etcd, names: Self.names, authority: authority, hindrance: Refusal("no key", remedies: []),
            now: Self.now)
        var facts = Facts()
        facts.record(try Self.files(authority), to: IdentityFiles(identity: .etcd))
        #expect(try resource.changes(given: facts, after: PendingEffects()).isEmpty)
        facts.record(.init(), to: IdentityFiles(identity: .etcd))
        #expect(throws: Refusal.self) { try resource.changes(given: facts, after: PendingEffects()) }
    }

    @Test("the files of two identities are read by one script")
    func reads() throws {
        let questions = [IdentityFiles(identity: .etcd), IdentityFiles(identity: .postgres)]
        let mark = "\u{1e}"
        let answers = try IdentityFiles.answers(
            to: questions,
            from: "\(mark)c1\n\(mark)k1\n\(mark)n1\n\(mark)\(mark)t\n\(mark)\(mark)\(mark)\(mark)t\n\(mark)")
        #expect(
            answers[questions[0]]
                == .init(
                    certificate: "c1\n", publicKey: "k1\n", nextPublicKey: "n1\n", trust: "t\n", isApart: false))
        #expect(answers[questions[1]] == .init(certificate: nil, publicKey: nil, trust: "t\n"))
        #expect(throws: UnreadableAnswer.self) { try IdentityFiles.answers(to: questions, from: "x") }
    }

    @Test("a private key is made where there is none, and shown to nobody else")
    func privateKey() throws {
        var facts = Facts()
        func changes(isMade: Bool = true) throws -> [String] {
            try PrivateKey(identity: .etcd, isMade: isMade).changes(given: facts, after: PendingEffects()).map(
                \.summary)
        }
        facts.record(.init(), to: IdentityFiles(identity: .etcd))
        facts.record(nil, to: FileStatus("/etc/ssl/drover/etcd.key"))
        #expect(try changes() == ["make the private key /etc/ssl/drover/etcd.key"])
        #expect(try changes(isMade: false) == [])
        facts.record(.init(publicKey: Self.key), to: IdentityFiles(identity: .etcd))
        for (owner, mode, isRight) in [("etcd", FileMode(0o600), true), ("root", 0o600, false), ("etcd", 0o640, false)]
        {
            facts.record(
                FileStatus.Attributes(
                    kind: .file, mode: mode, owner: owner, group: "etcd", modified: Timestamp(nanoseconds: 1)),
                to: FileStatus("/etc/ssl/drover/etcd.key"))
            #expect(try changes().isEmpty == isRight)
        }
    }

    @Test(
        "a certificate from before a rotation is replaced together with its key, wherever the rotation was interrupted")
    func rotation() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now - 10)
        let old = try Self.files(authority, at: Self.now - 10)
        var facts = Facts()
        facts.record(
            FileStatus.Attributes(
                kind: .file, mode: 0o600, owner: "etcd", group: "etcd", modified: Timestamp(nanoseconds: 1)),
            to: FileStatus("/etc/ssl/drover/etcd.key"))
        func changes(_ found: IdentityFiles.Answer, before moment: Int? = Self.now) throws -> [Change] {
            facts.record(found, to: IdentityFiles(identity: .etcd))
            return try PrivateKey(identity: .etcd, isMade: true, replacedBefore: moment)
                .changes(given: facts, after: PendingEffects())
                + IssuedCertificate(
                    identity: .etcd, names: Self.names, authority: authority, hindrance: nil, now: Self.now,
                    replacedBefore: moment
                ).changes(given: facts, after: PendingEffects())
        }
        let issue = "issue the certificate /etc/ssl/drover/etcd.crt (its key is replaced)"
        #expect(try changes(old, before: nil).isEmpty)
        #expect(try changes(old, before: Self.now - 10).isEmpty)
        #expect(
            try changes(old).map(\.summary) == ["make a new private key to replace /etc/ssl/drover/etcd.key", issue])
        var next = old
        next.nextPublicKey = Self.otherKey
        let last = try changes(next)
        #expect(last.map(\.summary) == [issue])
        #expect(
            last[0].script.description.hasPrefix(
                "mv -fT -- /etc/ssl/drover/etcd.key.next /etc/ssl/drover/etcd.key\n"))
        // The new key has its place, and its certificate is missing.
        var half = old
        half.publicKey = Self.otherKey
        #expect(try changes(half).count == 2)
        let new = IdentityFiles.Answer(
            certificate: try authority.issue(to: Self.names, publicKey: Self.otherKey, at: Self.now),
            publicKey: Self.otherKey, trust: try authority.trust)
        #expect(try changes(new).isEmpty)
    }

    @Test("no half of a private key is left by one that is ended while it makes one")
    func endedKey() async throws {
        let folder = try TemporaryDirectory()
        var facts = Facts()
        facts.record(.init(), to: IdentityFiles(identity: .etcd))
        facts.record(nil, to: FileStatus("/etc/ssl/drover/etcd.key"))
        let changes = try PrivateKey(identity: .etcd, isMade: true).changes(given: facts, after: PendingEffects())
        let script = try #require(changes.first).script.reveal().replacing("/etc/ssl/drover", with: folder.path)
        let run = try await ShellRun.of(
            """
            sh -c \(ShellText.quoting("openssl() { ls \(folder.path); kill -TERM $$; }\nset -e\n" + script))
            echo "$?"; ls -A \(folder.path)
            """)
        #expect(run.output.wholeMatch(of: /etcd\.key\.drover\.[^\n]{6}\n143\n/) != nil, "\(run)")
    }

    private static let inUse: [(found: EncryptionInUse.Answer, tls: Bool, refusal: String?)] = [
        (.init(), true, nil), (.init(), false, nil), (.init(etcd: true, patroni: true), true, nil),
        (.init(etcd: false, patroni: false), false, nil),
        (
            .init(etcd: false, patroni: false), true,
            "the cluster 'demo' runs without TLS, and the inventory wants it with: etcd on pg1, Patroni on pg1"
        ),
        (.init(etcd: true), false, "the cluster 'demo' runs with TLS, and the inventory wants it without: etcd on pg1"),
    ]

    @Test("TLS is not switched under a cluster that runs", arguments: inUse)
    func switched(found: EncryptionInUse.Answer, tls: Bool, refusal: String?) throws {
        let cluster = try Sample.cluster(tls: tls) { observed, configuration in
            observed[configuration.hosts[0]].record(found, to: configuration.encryptionInUse)
        }
        #expect(reason { try cluster.refuseOtherEncryption() } == refusal)
    }

    private func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return "\(error)".split(separator: "\n").first.map(String.init) }
    }

    @Test(
        "hosts trust an authority before it issues anything, unless they have not begun", arguments: [false, true],
        HostIdentity.allCases)
    func authority(isAtWork: Bool, identity: HostIdentity) throws {
        let (old, new) = (
            try CertificateAuthority(named: "demo", at: Self.now), try CertificateAuthority(named: "demo", at: Self.now)
        )
        let other = (try CertificateAuthority(named: "other", at: Self.now), hindrance: Refusal?.none)
        func refusal(_ issuer: CertificateAuthority, found: IdentityFiles.Answer) throws -> String? {
            var cluster = try Sample.cluster(tls: true) { observed, configuration in
                let host = configuration.hosts[0]
                observed[host].record(isAtWork ? .init(etcd: true) : .init(), to: configuration.encryptionInUse)
                observed[host].record(found, to: IdentityFiles(identity: identity))
            }
            cluster.authority = identity == .postgres ? (issuer, nil) : other
            cluster.etcdAuthority = identity == .postgres ? other : (issuer, nil)
            return reason { try cluster.refuseOtherEncryption() }
        }
        let complaint =
            isAtWork ? "pg1 run with certificates of another authority than the one that is to issue them" : nil
        let files = try Self.files(old)
        #expect(try refusal(old, found: files) == nil)
        #expect(try refusal(new, found: files) == complaint)
        let both = try CertificateAuthority(certificates: new.trust + old.trust, key: new.privateKey)
        #expect(try refusal(both, found: files) == complaint)
        #expect(try refusal(both, found: .init(certificate: files.certificate, trust: old.trust + new.trust)) == nil)
    }

    @Test("certificates that somebody else has put there must be good")
    func given() throws {
        let authority = try CertificateAuthority(named: "demo", at: Self.now)
        var found = try Self.files(authority)
        func fault(_ names: [String] = Self.names, now: Int = Self.now) -> String? {
            GivenCertificate.fault(of: found, names: names, now: now)
        }
        #expect(fault() == nil)
        #expect(fault(["pg1"]) == nil)
        #expect(fault(["db.example.com"]) == "it does not stand for db.example.com")
        #expect(fault(now: Self.now + 900 * 86_400) == "it has ended")
        found.publicKey = nil
        #expect(fault() == "there is no key of it, or no openssl to read that")
        found = try Self.files(CertificateAuthority(named: "x", at: Self.now))
        found.trust = try authority.trust
        #expect(fault() == "another authority has issued it")
        found.certificate = nil
        #expect(fault() == "there is none")
        found.trust = nil
        #expect(fault() == "there is no authority to trust")
    }

    @Test("what somebody else has put there stays when the cluster goes", arguments: [true, false])
    func remains(isIssued: Bool) throws {
        let variables = Sample.variables + ["tls_cert_generate: \(isIssued)"]
        let cluster = try Sample.cluster(Sample.text(variables), tls: true)
        let files = cluster.files(of: cluster.configuration.hosts[0]) + cluster.etcdFiles + cluster.authorityFiles
        let expected =
            isIssued
            ? [
                "ca.crt", "etcd-ca.crt", "etcd-client.crt", "etcd-client.key", "etcd.crt", "etcd.key", "postgres.crt",
                "postgres.key",
            ] : []
        #expect(files.filter { $0.hasPrefix(HostIdentity.folder) }.sorted() == expected.map { "/etc/ssl/drover/\($0)" })
    }

    @Test("passwords go into no command line, and are quoted as curl reads them")
    func login() throws {
        let api = PatroniAPI(address: "10.0.0.1", port: 8008, isEncrypted: true)
        #expect(
            api.send("{}", to: "/config", by: "PATCH").reveal()
                == "curl --silent --noproxy '*' --cacert /etc/ssl/drover/ca.crt --config /etc/patroni/api.curl"
                + "  --request PATCH --data-raw '{}' https://10.0.0.1:8008/config")
        let login = PatroniAPILogin(.init(name: "p", password: Secret(#"a"b\c"#)))
        #expect(login.password.reveal() == #"a\"b\\c"#)
    }
}
