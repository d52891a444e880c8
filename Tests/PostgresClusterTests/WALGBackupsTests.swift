import Diagnostics
import Engine
import Inventory
import Testing

@testable import PostgresCluster

@Suite("Backups of WAL-G")
struct WALGBackupsTests {
    @Test("what backup-list prints")
    func list() throws {
        let answer = try WALGSample.answer("told \(WALGSample.list)")
        let stanza = try #require(answer.stanza)
        #expect(stanza.name == "demo")
        #expect(stanza.backup.map(\.type) == [.full, .differential, .incremental])
        #expect(stanza.backup.map(\.label)[1] == "base_000000010000000000000007_D_000000010000000000000004")
        let first = try #require(stanza.backup.first)
        #expect(first.timestamp == .init(start: 1_795_353_723, stop: 1_795_353_726))
        #expect(first.lsn == .init(start: "0/4000028", stop: "0/5000050"))
        #expect(first.info == .init(size: 23_267_311, repository: .init(delta: 2_866_976)))
        #expect(stanza.db == [.init(systemIdentifier: 7_710_985_427_043_285_199, version: "15")])
        #expect(answer.now == 1_795_353_871)
        #expect(answer.newest?.label.hasPrefix("base_000000010000000000000009_D_") == true)
    }

    private static let rows: [(line: String, exists: Bool, hasBackup: Bool, isTold: Bool)] = [
        ("told \(WALGSample.list)", true, true, true), ("told ", true, false, true), ("told []", true, false, true),
        ("told null", true, false, true), ("mute ", false, false, false), ("mute []", false, false, false),
        ("told ERROR: no such file", false, false, false),
    ]

    @Test("whether the archive answers, and has a backup", arguments: rows.indices)
    func states(index: Int) throws {
        let row = Self.rows[index]
        let answer = try WALGSample.answer(row.line)
        #expect(answer.exists == row.exists)
        #expect((answer.newest != nil) == row.hasBackup)
        #expect((answer.stanza != nil) == row.isTold)
    }

    @Test("it is asked by settings that are given in a file, which is taken away, and never seen")
    func script() throws {
        let cluster = try Sample.cluster(WALGSample.text())
        let question = try #require(cluster.walgBackups)
        #expect(!"\(question)".contains("access-key"))
        let script = WALGBackups.script(for: [question])
        #expect(script.reveal().contains("trap 'rm -f -- \"$file\"' EXIT"))
        #expect(
            script.reveal().contains(
                "runuser -u postgres -- timeout 20 /usr/local/bin/wal-g --config \"$file\" backup-list"))
        #expect(throws: UnreadableAnswer.self) { try WALGBackups.answers(to: [question], from: "5 what\n") }
    }

    // MARK: A cluster that begins with one

    private static let faults: [(variables: [String], expected: String)] = [
        (
            ["wal_g_source_json: { WALG_S3_PREFIX: s3://backups/demo }"],
            "nothing says with whose backup the cluster begins"
        ),
        (
            [],
            "nothing says with whose backup the cluster begins; write the other cluster's prefix into wal_g_source_json"
        ),
        (
            ["wal_g_source_json: { WALG_S3_PREFIX: a }", "wal_g_restore_target_time: 2026-11-22 15:04:05Z"],
            "WAL-G does not look for the backup that leads to a time; name one with wal_g_restore_backup_name"
        ),
        (
            ["wal_g_source_json: { WALG_S3_PREFIX: a }", "wal_g_restore_target_time: 2026-11-22 15:04:05"],
            "'2026-11-22 15:04:05' is no moment with a zone"
        ),
        (
            ["wal_g_source_json: { WALG_S3_PREFIX: a }", "wal_g_restore_backup_name: newest"],
            "'newest' is no backup of WAL-G; write LATEST, or a name as `drover backup list` shows it"
        ),
        (
            ["wal_g_source_json: { WALG_S3_PREFIX: a }", "wal_g_restore_target_timeline: next"], "'next' is no timeline"
        ),
    ]

    @Test("what is wrong with that is told before any host is contacted", arguments: faults.indices)
    func fault(index: Int) throws {
        let (variables, expected) = Self.faults[index]
        let text = WALGSample.text([WALGSample.settings, "patroni_cluster_bootstrap_method: wal-g"] + variables)
        let faults = try #require(throws: Diagnostics.self) { try Sample.configuration(text) }
        #expect(faults.description.contains(expected), "\(faults)")
    }

    @Test("WAL-G must be there for that")
    func without() throws {
        let text = Sample.text(Sample.variables + ["patroni_cluster_bootstrap_method: wal-g"])
        let faults = try #require(throws: Diagnostics.self) { try Sample.configuration(text) }
        #expect(faults.description.contains("a cluster cannot begin with a backup of WAL-G without WAL-G"), "\(faults)")
    }

    private static let full = "base_000000010000000000000004"

    private static let obstacles: [(variables: [String], line: String, version: Int, expected: [String])] = [
        ([], "told \(WALGSample.list)", 15, []),
        ([], "told ", 15, ["there is no backup at the place that wal_g_source_json names"]),
        ([], "told \(WALGSample.list)", 16, ["its database is of PostgreSQL 15, and this cluster of 16"]),
        (["wal_g_restore_backup_name: \(full)"], "told \(WALGSample.list)", 15, []),
        (
            ["wal_g_restore_backup_name: base_00000001000000000000000A"], "told \(WALGSample.list)", 15,
            ["there is no backup base_00000001000000000000000A: the newest is base_000000010000000000000009_D_"]
        ),
        (
            ["wal_g_restore_backup_name: \(full)", "wal_g_restore_target_time: '2026-11-22T13:22:07Z'"],
            "told \(WALGSample.list)", 15, []
        ),
        (
            ["wal_g_restore_backup_name: \(full)", "wal_g_restore_target_time: '2026-11-22T13:22:05Z'"],
            "told \(WALGSample.list)", 15, ["the backup \(full) ends after the target: so do all"]
        ),
        (
            [
                "wal_g_restore_backup_name: base_000000010000000000000007_D_000000010000000000000004",
                "wal_g_restore_target_time: '2026-11-22T13:22:30Z'",
            ], "told \(WALGSample.list)", 15,
            [
                "the backup base_000000010000000000000007_D_000000010000000000000004 ends after the target: \(full) does not"
            ]
        ),
        (
            ["wal_g_restore_backup_name: \(full)", "wal_g_restore_target_time: '2030-01-01T00:00:00Z'"],
            "told \(WALGSample.list)", 15, ["the target lies in the future"]
        ),
    ]

    @Test("the backup must be there, of the same version, and lead to the target", arguments: obstacles.indices)
    func obstacle(index: Int) throws {
        let row = Self.obstacles[index]
        let text = WALGSample.text(WALGSample.source + row.variables)
        let source = try #require(try Sample.configuration(text).walg?.source)
        let answer = try WALGSample.answer(row.line)
        let stanza = try #require(answer.stanza)
        let found = source.obstacles(given: stanza, at: answer.now, version: row.version)
        #expect(found.count == row.expected.count, "\(found)")
        for (text, beginning) in zip(found, row.expected) { #expect(text.hasPrefix(beginning), "\(text)") }
    }

    // MARK: Guards

    /// A cluster that does not exist yet, whose members tell of its archive and of the other one.
    private func cluster(own: String, other: String) throws -> Cluster {
        let asked = try Sample.cluster(WALGSample.text(WALGSample.source))
        let questions = asked.walgExamination.flatMap(\.questions).compactMap { $0 as? WALGBackups }
        try #require(questions.count == 2)
        var facts = Facts()
        for (question, line) in zip(questions, [own, other]) {
            let answers = try WALGBackups.answers(to: [question], from: "5 \(line)\n")
            facts.record(try #require(answers[question]), to: question)
        }
        var observed = Observations()
        observed[asked.configuration.members[0].host] = facts
        let configuration = asked.configuration
        return Cluster(
            configuration: configuration, state: .new, observed: observed, templates: asked.templates,
            backupSightings: BackupQuestions(configuration: configuration).sightings(given: observed))
    }

    @Test("a new cluster does not write beside the backups of another one, nor begin without a backup")
    func guards() throws {
        let fine = try cluster(own: "told ", other: "told \(WALGSample.list)")
        try fine.refuseForeignStanza()
        try fine.refuseUnfitSource()
        let used = try cluster(own: "told \(WALGSample.list)", other: "told \(WALGSample.list)")
        let foreign = try #require(throws: Refusal.self) { try used.refuseForeignStanza() }
        #expect(
            "\(foreign)".contains("the archive at s3://backups/demo has backups of another cluster"), "\(foreign)")
        let empty = try cluster(own: "told ", other: "told ")
        let missing = try #require(throws: Refusal.self) { try empty.refuseUnfitSource() }
        #expect("\(missing)".contains("there is no backup at the place"), "\(missing)")
        let mute = try cluster(own: "mute ", other: "mute ")
        try mute.refuseForeignStanza()
        try mute.refuseUnfitSource()
    }

    @Test("what pgBackRest alone can do is refused in one sentence")
    func refusals() throws {
        let configuration = try Sample.configuration(WALGSample.text())
        try configuration.requireBackups()
        let refusal = try #require(throws: Refusal.self) { try configuration.requiredBackups(for: "backup verify") }
        #expect(
            "\(refusal)".contains(
                "backup verify takes backups of pgBackRest, and those of the cluster 'demo' are WAL-G's"), "\(refusal)")
    }
}
