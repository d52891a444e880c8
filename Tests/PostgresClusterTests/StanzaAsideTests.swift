import Engine
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Backups that are set aside")
struct StanzaAsideTests {
    private static let system = "7710985427043285199"
    private static let old = "demo.removed-20261122T150405Z"

    private static func folders(in path: String = "/var/lib/pgbackrest") -> StanzaFolders {
        StanzaFolders(path: path, stanza: "demo", user: "postgres")
    }

    private static func facts(
        _ json: String, _ answer: StanzaFolders.Answer, in folders: StanzaFolders = folders()
    ) throws -> Facts {
        var facts = try BackupSample.facts(json)
        facts.record(answer, to: folders)
        return facts
    }

    private static let both: Set<StanzaFolders.Part> = [.archive, .backup]
    private static let unknown = #"""
        [{"archive":[],"backup":[],"cipher":"none","db":[],"name":"demo","repo":[],"status":{"code":99,"message":"other"}}]
        """#

    private static let rows:
        [(json: String, found: StanzaFolders.Answer, cluster: String?, summary: String?, notice: String?)] = [
            (
                BackupSample.info, .init(parts: both), system,
                "set the archive and 2 backups of demo aside as demo.removed-<UTC time>", nil
            ),
            (BackupSample.noStanza, .init(), system, nil, nil),
            (BackupSample.info, .init(parts: both), "111", nil, "for they are of another database system, \(system)"),
            (BackupSample.info, .init(parts: both), nil, nil, "for nothing is left that tells whether they are"),
            (unknown, .init(parts: both), system, nil, "for pgBackRest cannot tell whose they are"),
            // A run died between both folders.
            (
                unknown, .init(parts: [.backup], aside: [.init(name: old, parts: [.archive])]), nil,
                "set what is left of demo aside as \(old)", nil
            ),
            (
                BackupSample.noStanza, .init(aside: [.init(name: old, parts: both)]), nil, nil,
                "pgbackrest --stanza=\(old) restore"
            ),
        ]

    @Test("only when they are the cluster's own, and what was begun is ended", arguments: rows)
    func decision(
        json: String, found: StanzaFolders.Answer, cluster: String?, summary: String?, notice: String?
    ) throws {
        let resource = StanzaAside(info: BackupSample.question, folders: Self.folders(), cluster: cluster)
        let facts = try Self.facts(json, found)
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == [summary].compactMap(\.self))
        let notices = try resource.notices(given: facts)
        #expect(notices.count == (notice == nil ? 0 : 1))
        if let notice { #expect(notices.first?.contains(notice) == true, "\(notices)") }
    }

    @Test("in a store they stay, and their name is taken")
    func store() throws {
        let resource = StanzaAside(info: BackupSample.question, folders: nil, cluster: Self.system)
        let facts = try BackupSample.facts(BackupSample.info)
        #expect(try resource.changes(given: facts, after: PendingEffects()).isEmpty)
        #expect(try resource.notices(given: facts).first?.contains("wants another pgbackrest_stanza") == true)
        #expect(StanzaFolders(of: try Sample.configuration(BackupSample.text(BackupSample.s3, hasHost: false))) == nil)
    }

    @Test("the fact tells what there is; after the script, and after half of it, both folders have one name")
    func renaming() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.path
        let folders = Self.folders(in: folder)
        let stub = """
            runuser() { shift 3; "$@"; }
            timeout() { shift; "$@"; }
            pgbackrest() { echo '[{"db":[{"id":1,"system-id":111},{"id":2,"system-id":\(Self.system)}]}]'; }

            """
        func look() async throws -> StanzaFolders.Answer {
            let run = try await ShellRun.of(stub + StanzaFolders.script(for: [folders]).reveal())
            return try #require(StanzaFolders.answers(to: [folders], from: run.output)[folders], "\(run)")
        }
        #expect(try await look() == .init())
        _ = try await ShellRun.of(
            "cd \(folder) && mkdir -p archive/demo backup/demo archive/demolition backup/demo.removed-never")
        #expect(try await look() == .init(parts: Self.both))
        let resource = StanzaAside(info: BackupSample.question, folders: folders, cluster: Self.system)
        func order(_ json: String) async throws -> String {
            let facts = try Self.facts(json, try await look(), in: folders)
            return try #require(try resource.changes(given: facts, after: PendingEffects()).first).script.reveal()
        }
        let half = try await order(BackupSample.info).replacing("mv -T -- backup/", with: "false backup/")
        _ = try await ShellRun.of("\(stub)set -e\n\(half)")
        let begun = try #require(try await look().begun)
        let run = try await ShellRun.of("\(stub)set -e\n\(try await order(Self.unknown))")
        #expect(run.output.contains("told: the backups of demo are kept as the stanza \(begun.name); "), "\(run)")
        #expect(
            try await look() == .init(aside: [.init(name: begun.name, parts: Self.both, system: Self.system)]))
    }

    @Test("those of the system that is named are deleted, and no others", arguments: [system, "111", nil])
    func deletion(system: String?) async throws {
        let folders = Self.folders()
        let found = StanzaFolders.Answer(aside: [
            .init(name: Self.old, parts: Self.both, system: Self.system),
            .init(name: "demo.removed-20261122T160000Z", parts: [.archive]),
        ])
        let resource = NoStanza(info: BackupSample.question, folders: folders, system: system)
        let facts = try Self.facts(BackupSample.noStanza, found)
        let changes = try resource.changes(given: facts, after: PendingEffects()).map(\.summary)
        #expect(
            changes == (system == Self.system ? ["delete the archive and the backups in \(Self.old) for ever"] : []))
        #expect(try resource.notices(given: facts).count == 2 - changes.count)
        #expect(BackupRemains(aside: found.aside).identity == Self.system)
        #expect(BackupRemains(aside: found.aside).refusals(of: "111").isEmpty)
    }

    @Test("what cannot be read", arguments: ["", "what\n", "question\npart other\n", "question\nsystem demo.x 1\n"])
    func garbled(output: String) {
        #expect(throws: UnreadableAnswer.self) {
            try StanzaFolders.answers(to: [Self.folders()], from: output)
        }
    }
}
