import Engine
import Inventory
import Secrets
import Testing

@testable import PostgresCluster

@Suite("The store of the backups")
struct BackupStoreTests {
    /// As pgBackRest 2.45 tells of a store that it cannot read.
    private static func info(_ message: String) -> String {
        let status = #""status":{"code":99,"message":"\#(message)"}"#
        return #"""
            [{"archive":[],"backup":[],"cipher":"aes-256-cbc","db":[],"name":"demo","repo":[{"cipher":"aes-256-cbc",\#
            "key":1,\#(status)}],"status":{"code":99,"lock":{"backup":{"held":false}},"message":"other"}}]
            """#
    }

    private static func http(_ status: String, _ code: String, _ message: String) -> String {
        #"[ProtocolError] HTTP request failed with \#(status):\n*** Path/Query ***:\nGET /backups/?list-type=2\n"#
            + #"*** Request Headers ***:\nauthorization: <redacted>\n*** Response Content ***:\n"#
            + #"<?xml version=\"1.0\"?>\n<Error><Code>\#(code)</Code><Message>\#(message)</Message></Error>"#
    }

    private static let refused = "[HostConnectError] unable to connect to '10.0.0.8:443': [111] Connection refused"
    private static let nameless =
        "[HostConnectError] unable to get address for 's3.example.org': [-2] Name or service not known"

    private static let rows: [(message: String, text: String, remedy: String)] = [
        (
            refused, "unable to connect to '10.0.0.8:443': [111] Connection refused",
            "correct repo1-s3-endpoint, or bring the store back"
        ),
        (
            http("404 (NOT FOUND)", "NoSuchBucket", "The specified bucket does not exist"),
            "HTTP request failed with 404 (NOT FOUND): NoSuchBucket, The specified bucket does not exist",
            "create the bucket, or correct repo1-s3-bucket"
        ),
        (
            http("403 (Forbidden)", "SignatureDoesNotMatch", "Check your key."),
            "HTTP request failed with 403 (Forbidden): SignatureDoesNotMatch, Check your key.",
            "correct repo1-s3-key and repo1-s3-key-secret, or let that key list, read, write and delete in the bucket"
        ),
        (
            "[CryptoError] unable to verify certificate presented by 's3.example.org:443': [18] self-signed certificate",
            "unable to verify certificate presented by 's3.example.org:443': [18] self-signed certificate",
            "name a file with the authority that has issued the certificate: repo1-storage-ca-file"
        ),
        ("[ServiceError] TLS error [1:1] eof", "TLS error [1:1] eof", "say `pgbackrest --stanza=demo info` there"),
        ("other", "other", "say `pgbackrest --stanza=demo info` there"),
    ]

    @Test("what pgBackRest says of it becomes one line, and what to do", arguments: rows.indices)
    func complaint(index: Int) throws {
        let row = Self.rows[index]
        let stanza = try #require(try BackupSample.answer(Self.info(row.message)).stanza)
        #expect(stanza.complaint?.text == row.text)
        #expect(stanza.complaint?.remedy.hasPrefix(row.remedy) == true)
        let refusal = try #require(throws: Refusal.self) { try stanza.refuseUnlessKnown() }
        #expect("\(refusal)".contains("the repository of 'demo' does not answer: \(row.text)"), "\(refusal)")
        let status = BackupStatus(leader: nil, told: try BackupSample.answer(Self.info(row.message)))
        #expect(status.findings.map(\.text) == ["the repository of the backups says: \(row.text)"])
        #expect(status.findings.first?.remedy == stanza.complaint?.remedy)
    }

    @Test("who can read it has nothing to complain of", arguments: [BackupSample.info, BackupSample.noStanza])
    func fine(json: String) throws {
        let stanza = try #require(try BackupSample.answer(json).stanza)
        #expect(stanza.complaint == nil)
        try stanza.refuseUnlessKnown()
    }

    private func cluster(
        _ variables: [String] = BackupSample.s3, hasHost: Bool = false, state: ClusterState = .new,
        telling answers: [String: String] = [:]
    ) throws -> Cluster {
        let text = BackupSample.text(variables, hasHost: hasHost)
        let blind = try Sample.cluster(text, state: state)
        return try Sample.cluster(text, state: state) { observed, _ in
            let play = blind.storeExamination()
            for host in play.hosts {
                guard let answer = try? answers[host.name].map({ try BackupSample.answer($0) }),
                    let info = try? play.resources(on: host).first?.questions.first as? PgBackRestInfo
                else { continue }
                observed[host].record(answer, to: info)
            }
        }
    }

    @Test("is looked at by all who reach it by themselves, by the configuration that they are to have")
    func examination() throws {
        for state in [ClusterState.new, .running(leader: "pg1", withDatabase: ["pg1"])] {
            let play = try cluster(state: state).storeExamination()
            #expect(play.hosts.map(\.name) == ["pg1", "pg2", "pg3"])
            let info = try #require(try play.resources(on: play.hosts[1]).first?.questions.first as? PgBackRestInfo)
            #expect(info.configuration?.reveal().contains("repo1-s3-key-secret=secret-key") == true)
            #expect(!"\(info)".contains("secret-key"))
        }
        #expect(try cluster(hasHost: true).storeExamination().hosts.map(\.name) == ["bk"])
        #expect(try cluster([], hasHost: true).storeExamination().hosts.isEmpty)
        #expect(try Sample.cluster().storeExamination().hosts.isEmpty)
    }

    @Test("one that cannot be used is refused, each reason once with all whom it keeps out")
    func refusal() throws {
        let missing = Self.http("404 (NOT FOUND)", "NoSuchBucket", "None.")
        let cluster = try cluster(telling: [
            "pg1": Self.info(Self.refused), "pg2": Self.info(missing), "pg3": Self.info(Self.refused),
        ])
        let refusal = try #require(throws: Refusal.self) { try cluster.refuseUnusableStore() }
        let told = "\(refusal)"
        #expect(
            told.contains(
                "pg1, pg3 cannot use the store of the backups, the bucket 'backups' at s3.example.org: unable to connect to "
            ), "\(told)")
        #expect(told.contains("pg2 cannot use the store of the backups, "), "\(told)")
        #expect(told.contains("create the bucket, or correct repo1-s3-bucket"), "\(told)")
    }

    @Test("one that can be used, or of which nobody has told yet, is not refused")
    func acceptance() throws {
        try cluster().refuseUnusableStore()
        try cluster(telling: ["pg1": BackupSample.noStanza, "pg2": BackupSample.info]).refuseUnusableStore()
    }

    @Test("a name that the run itself makes known keeps nobody out")
    func hostNames() throws {
        let told = ["pg1": Self.info(Self.nameless)]
        let entry = "etc_hosts: ['10.0.0.8 store s3.example.org']"
        try cluster([entry] + BackupSample.s3, telling: told).refuseUnusableStore()
        #expect(throws: Refusal.self) { try cluster(telling: told).refuseUnusableStore() }
    }
}
