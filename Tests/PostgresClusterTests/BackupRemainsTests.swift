import Engine
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Backups that go with their cluster")
struct BackupRemainsTests {
    private static let unknown = #"""
        [{"archive":[],"backup":[],"cipher":"none","db":[],"name":"demo","repo":[],"status":{"code":99,"message":"other"}}]
        """#

    private static let rows: [(json: String?, isConfigured: Bool, cluster: String?, reason: String?)] = [
        (BackupSample.info, true, "7710985427043285199", nil), (BackupSample.info, true, nil, nil),
        (BackupSample.info, true, "111", "the backups under the name 'demo' are not of this cluster"),
        (BackupSample.noStanza, true, "111", nil), (nil, false, "111", nil),
        (nil, true, "111", "the repository of the backups does not answer"),
        (unknown, true, "111", "the repository of the backups does not answer"), (unknown, false, "111", nil),
    ]

    @Test("are refused when they are somebody else's, or nobody can tell", arguments: rows)
    func guards(json: String?, isConfigured: Bool, cluster: String?, reason: String?) throws {
        let stanza = try json.flatMap { try BackupSample.answer($0).stanza }
        let refusals = BackupRemains(stanza: stanza, isConfigured: isConfigured).refusals(of: cluster)
        #expect(refusals.count == (reason == nil ? 0 : 1))
        if let reason { #expect(refusals.first?.reason.hasPrefix(reason) == true) }
    }

    private static let changes: [(json: String, summary: String?)] = [
        (
            BackupSample.info,
            "delete the archive and 2 backups of demo for ever, the oldest of them 20261122-132203F"
        ),
        (BackupSample.noBackups, "delete the archive and 0 backups of demo for ever"),
        (BackupSample.noStanza, nil), (unknown, nil),
    ]

    @Test("are deleted as long as something is there", arguments: changes)
    func deletion(json: String, summary: String?) throws {
        let changes = try NoStanza(info: BackupSample.question).changes(
            given: BackupSample.facts(json), after: PendingEffects())
        #expect(changes.map(\.summary) == [summary].compactMap(\.self))
    }

    @Test("pgBackRest is let work again, also when it could not delete", arguments: [0, 1])
    func order(status: Int) async throws {
        let changes = try NoStanza(info: BackupSample.question).changes(
            given: BackupSample.facts(BackupSample.info), after: PendingEffects())
        let run = try await ShellRun.of(
            """
            set -e
            runuser() {
                echo "$*"
                case "$*" in *stanza-delete) return \(status) ;; esac
            }
            ( \(try #require(changes.first).script.reveal())
            ) || echo failed
            """)
        let words = "-u postgres -- pgbackrest --stanza=demo"
        #expect(
            run.output.linesOfText == [
                "\(words) --force stop", "\(words) --log-level-console=info --force stanza-delete", "\(words) start",
            ] + (status == 0 ? [] : ["failed"]), "\(run)")
    }

    @Test("are none of a cluster that has none, or that stays")
    func wrong() throws {
        for (text, isRight) in [
            (Sample.text(), false), (BackupSample.text(), true), (BackupSample.text(["remove_postgres: false"]), false),
        ] {
            let model = ClusterModel(
                configuration: try Sample.configuration(text),
                templates: try ClusterTemplates(folder: Sample.folder("templates")))
            #expect((try? model.requireRemovableBackups()) != nil || !isRight)
            #expect(((try? model.requireRemovableBackups()) != nil) == isRight)
        }
    }

    @Test(
        "where the members reach their store by themselves, what tells how stays with the backups",
        arguments: [true, false])
    func reach(withBackups: Bool) throws {
        let cluster = try Sample.cluster(BackupSample.text(BackupSample.s3, hasHost: false))
        let names = try cluster.withoutFiles(on: cluster.configuration.members[0].host, withBackups: withBackups).map(
            \.name)
        #expect(names.contains { $0.contains("/etc/pgbackrest.conf") } == withBackups)
    }
}
