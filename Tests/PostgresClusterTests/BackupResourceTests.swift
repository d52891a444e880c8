import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Stanza, first backup and keys")
struct BackupResourceTests {
    private func summaries(_ resource: some Resource, _ facts: Facts) throws -> [String] {
        try resource.changes(given: facts, after: PendingEffects()).map(\.summary)
    }

    private static let needs: [(json: String, archives: Bool?, stanza: [String], backup: [String], notices: Int)] = [
        ("", nil, ["create the stanza demo"], ["check the archive", "make the first full backup"], 0),
        (
            BackupSample.noStanza, true, ["create the stanza demo"],
            ["check the archive", "make the first full backup"], 0
        ),
        (BackupSample.noBackups, true, [], ["check the archive", "make the first full backup"], 0),
        (BackupSample.noBackups, false, [], [], 1), (BackupSample.info, true, [], [], 0),
        (BackupSample.info, false, [], [], 0),
    ]

    @Test("what is needed is seen", arguments: needs.indices)
    func need(index: Int) throws {
        let row = Self.needs[index]
        let facts = try BackupSample.facts(row.json)
        #expect(try summaries(Stanza(info: BackupSample.question), facts) == row.stanza)
        let first = FirstBackup(info: BackupSample.question, isArchiving: row.archives)
        #expect(try summaries(first, facts) == row.backup)
        #expect(try first.notices(given: facts).count == row.notices)
    }

    @Test(
        "a stanza is created when nobody archives just then, and not for ever; what else is wrong is told at once",
        arguments: [("[ $tries = 3 ] || return 50", 0, 3), ("return 50", 50, 6), ("return 28", 28, 1)])
    func lock(pgbackrest: String, status: Int32, tries: Int) async throws {
        let changes = try Stanza(info: BackupSample.question)
            .changes(given: try BackupSample.facts(""), after: PendingEffects())
        let folder = try TemporaryDirectory(["tries": ""])
        let run = try await ShellRun.of(
            """
            tries() { wc -l <\(folder.path)/tries; }
            date() { echo $(( $(tries) * 10 )); }
            sleep() { :; }
            runuser() { echo x >>\(folder.path)/tries; tries=$(tries); \(pgbackrest); }
            ( set -e
            \(try #require(changes.first).script.reveal())
            )
            """)
        #expect(run.status == status)
        #expect(try folder.text(of: "tries").linesOfText.count == tries)
    }

    private static let stanzas: [(state: ClusterState, system: String?, json: String, isRefused: Bool)] = [
        (.new, nil, "", false), (.new, nil, BackupSample.noStanza, false), (.new, nil, BackupSample.info, true),
        (.running(leader: "pg1", withDatabase: ["pg1"]), "7710985427043285199", BackupSample.info, false),
        (.running(leader: "pg1", withDatabase: ["pg1"]), "7710985427043285198", BackupSample.info, true),
        (.running(leader: "pg1", withDatabase: ["pg1"]), "1", BackupSample.noStanza, false),
    ]

    @Test("the stanza of another cluster is left alone", arguments: stanzas.indices)
    func foreign(index: Int) throws {
        let row = Self.stanzas[index]
        var cluster = try Sample.cluster(BackupSample.text(), state: row.state)
        cluster.backupSightings.told = try BackupSample.answer(row.json)
        cluster.backupSightings.systemIdentifier = row.system
        if row.isRefused {
            let refusal = try #require(throws: Refusal.self) { try cluster.refuseForeignStanza() }
            #expect(refusal.reason.contains("of the database system 7710985427043285199: "))
        } else {
            try cluster.refuseForeignStanza()
        }
    }

    @Test("an errand is done once for each mark")
    func errand() throws {
        let errand = Errand(errand: "e", mark: "m2", summary: "do it", script: "true")
        for (mark, expected) in [(nil, ["do it"]), ("m1", ["do it"]), ("m2", [])] as [(String?, [String])] {
            var facts = Facts()
            facts.record(mark, to: ErrandMark("e"))
            #expect(try summaries(errand, facts) == expected)
        }
        var facts = Facts()
        facts.record(nil, to: ErrandMark("e"))
        let script = try errand.changes(given: facts, after: PendingEffects())[0].script.reveal()
        #expect(script.hasSuffix("printf '%s\\n' m2 >/var/lib/drover/errands/e"))
    }

    private func trust(on name: String, of cluster: Cluster) throws -> [String: UnifiedDiff?] {
        let host = try #require(cluster.configuration.hosts.first { $0.name == name })
        var found: [String: UnifiedDiff?] = [:]
        for resource in try cluster.backupTrust(on: host) where resource.name.hasPrefix("block") {
            var facts = Facts()
            for question in resource.questions { facts.recordAbsence(of: question) }
            let changes = try resource.changes(given: facts, after: PendingEffects())
            #expect(changes.count == 1)
            found[changes[0].summary] = .some(changes[0].diff)
        }
        return found
    }

    private static let keys = "put the block pgbackrest into /var/lib/postgresql/.ssh/authorized_keys"
    private static let hosts = "put the block pgbackrest into /etc/pgbackrest/known_hosts"

    @Test("before the others have told their keys, it is said what will be written, in the same words")
    func awaited() throws {
        let cluster = try Sample.cluster(BackupSample.text())
        #expect(try trust(on: "pg1", of: cluster) == [Self.keys: nil, Self.hosts: nil])
    }

    @Test("a host lets its peers run pgBackRest and nothing else, and knows them")
    func trusted() throws {
        var cluster = try Sample.cluster(
            BackupSample.text().replacing("10.0.0.9 }", with: "10.0.0.9, ansible_port: 2222 }"))
        for name in ["pg1", "pg2", "pg3", "bk"] {
            cluster.backupSightings.identities[name] = .init(
                hostKeys: ["ssh-rsa R\(name)", "ssh-ed25519 H\(name)"], userKey: "ssh-ed25519 U\(name)")
        }
        let member = try trust(on: "pg1", of: cluster)
        #expect(
            member[Self.keys]??.text.filter { $0.hasPrefix("+") && $0.contains("ssh-") } == [
                #"+restrict,from="10.0.0.9",command="/usr/local/sbin/pgbackrest-peer pg" ssh-ed25519 Ubk"#
            ])
        #expect(
            member[Self.hosts]??.text.filter { $0.contains("ssh-") } == [
                "+[10.0.0.9]:2222 ssh-ed25519 Hbk", "+[10.0.0.9]:2222 ssh-rsa Rbk",
            ])
        let repository = try trust(on: "bk", of: cluster)
        #expect(
            repository[Self.keys]??.text.filter { $0.contains(" ssh-ed25519 Upg") } == [
                #"+restrict,from="10.0.0.1",command="/usr/local/sbin/pgbackrest-peer repo" ssh-ed25519 Upg1"#,
                #"+restrict,from="10.0.0.2",command="/usr/local/sbin/pgbackrest-peer repo" ssh-ed25519 Upg2"#,
                #"+restrict,from="10.9.0.3",command="/usr/local/sbin/pgbackrest-peer repo" ssh-ed25519 Upg3"#,
            ])
        #expect(repository[Self.hosts]??.text.contains("+10.9.0.3 ssh-ed25519 Hpg3") == true)
    }

    @Test("the repository's own user, and its timers")
    func keeper() throws {
        let cluster = try Sample.cluster(
            BackupSample.text(["pgbackrest_repo_user: keeper", "pgbackrest_schedule: { diff: none }"]))
        let host = try #require(cluster.configuration.backups?.host?.host)
        #expect(try cluster.pgbackrest(on: host).map(\.name).first == "user keeper")
        #expect(try cluster.backupTrust(on: host).map(\.name).first == "directory /home/keeper/.ssh")
        #expect(
            try cluster.backupTimers(on: host).map(\.name) == [
                "file /usr/local/sbin/pgbackrest-backup", "timer pgbackrest-full", "stopped pgbackrest-diff.timer",
                "timer pgbackrest-incr",
            ])
        #expect(cluster.backupKeepers.map(\.name) == ["bk"])
        #expect(cluster.backupMakers.map(\.name) == ["bk"])
    }

    @Test("without a host for the repository every member has timers, and who leads makes the backups")
    func members() throws {
        let state = ClusterState.running(leader: "pg2", withDatabase: ["pg1", "pg2", "pg3"])
        let cluster = try Sample.cluster(BackupSample.text(BackupSample.s3, hasHost: false), state: state)
        #expect(cluster.backupKeepers.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(cluster.backupMakers.map(\.name) == ["pg2"])
        #expect(cluster.backupPeers.isEmpty)
    }
}

extension Facts {
    /// That nothing is there, whatever is asked of the kinds of questions that files have.
    mutating func recordAbsence(of question: any Fact) {
        if let status = question as? FileStatus { record(nil, to: status) }
        if let content = question as? FileContent { record(.absent, to: content) }
        if let entry = question as? PathEntry { record(.absent, to: entry) }
    }
}
