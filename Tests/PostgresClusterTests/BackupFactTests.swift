import Engine
import Secrets
import Testing

@testable import PostgresCluster

@Suite("What is asked of the backups")
struct BackupFactTests {
    @Test("what pgbackrest prints")
    func info() throws {
        let answer = try BackupSample.answer(BackupSample.info)
        let stanza = try #require(answer.stanza)
        #expect(stanza.name == "demo")
        #expect(stanza.backup.map(\.label) == ["20261122-132203F", "20261122-132203F_20261122-132327D"])
        #expect(stanza.backup.map(\.type) == [.full, .differential])
        #expect(stanza.backup.map(\.archive.start) == ["000000010000000000000004", "000000010000000000000007"])
        #expect(answer.newest?.timestamp == .init(start: 1_795_353_807, stop: 1_795_353_811))
        #expect(answer.newest?.info.size == 23_267_311)
        #expect(answer.newest?.info.repository.delta == 4100)
        #expect(answer.now == 1_795_353_871)
    }

    private static let rows: [(json: String, exists: Bool, hasBackup: Bool, isTold: Bool)] = [
        (BackupSample.info, true, true, true), (BackupSample.noBackups, true, false, true),
        (BackupSample.noStanza, false, false, true), ("", false, false, false), ("[]", false, false, false),
        ("ERROR: [056]: unable to find the host", false, false, false),
        (BackupSample.info.replacing("demo", with: "other"), false, false, false),
    ]

    @Test("whether there is a stanza, and a backup", arguments: rows.indices)
    func states(index: Int) throws {
        let row = Self.rows[index]
        let answer = try BackupSample.answer(row.json)
        #expect(answer.exists == row.exists)
        #expect((answer.newest != nil) == row.hasBackup)
        #expect((answer.stanza != nil) == row.isTold)
    }

    @Test("one more backup makes no plan stale, the first one does")
    func essence() throws {
        let some = try BackupSample.answer(BackupSample.info)
        var more = some
        more.now += 100
        #expect(PgBackRestInfo.essence(of: some) == PgBackRestInfo.essence(of: more))
        let none = try BackupSample.answer(BackupSample.noBackups)
        #expect(PgBackRestInfo.essence(of: some) != PgBackRestInfo.essence(of: none))
    }

    @Test("each question has its line, also where the program is missing")
    func several() throws {
        let other = PgBackRestInfo("other", as: "keeper")
        let answers = try PgBackRestInfo.answers(
            to: [BackupSample.question, other], from: "5 \n6 \(BackupSample.noStanza)\n")
        #expect(answers == [BackupSample.question: .init(stanza: nil, now: 5), other: .init(stanza: nil, now: 6)])
        #expect(throws: UnreadableAnswer.self) { try PgBackRestInfo.answers(to: [other], from: "") }
        let script = PgBackRestInfo.script(for: [other])
        #expect(
            script.reveal().contains(
                "runuser -u keeper -- timeout 30 pgbackrest '--stanza=other' '--output=json' '--io-timeout=3' info"))
    }

    private static let archiver = ArchiverStatus(catalog: CatalogTests.catalog)

    private static let archivers: [(output: String, expected: ArchiverStatus.Archiver?, isFailing: Bool)] = [
        ("", nil, false),
        ("off|0||||\n", .init(isOn: false, failures: 0), false),
        ("on left off|0||||\n", .init(isOn: true, isLeftOff: true, failures: 0), false),
        ("on|3|||0B|17\n", .init(isOn: true, failed: .init(wal: "0B", time: 17), failures: 3), true),
        (
            "on|3|0B|18|0B|17\n",
            .init(
                isOn: true, archived: .init(wal: "0B", time: 18), failed: .init(wal: "0B", time: 17), failures: 3),
            false
        ),
        (
            "always|1|0A|16|0B|17\n",
            .init(
                isOn: true, archived: .init(wal: "0A", time: 16), failed: .init(wal: "0B", time: 17), failures: 1),
            true
        ),
    ]

    @Test("the archiver", arguments: archivers)
    func archiver(output: String, expected: ArchiverStatus.Archiver?, isFailing: Bool) throws {
        let answers = try ArchiverStatus.answers(to: [Self.archiver], from: "question\n" + output)
        let answer = try #require(answers[Self.archiver])
        #expect(answer == expected)
        #expect((answer?.isFailing ?? false) == isFailing)
    }

    @Test("another answer of the archiver is none", arguments: ["", "on|1|0A|16|0B|17\n", "question\non|x||||\n"])
    func noArchiver(output: String) {
        #expect(throws: UnreadableAnswer.self) { try ArchiverStatus.answers(to: [Self.archiver], from: output) }
    }

    @Test("keys, of the host and of who keeps the backups")
    func identity() throws {
        let output = "host ssh-ed25519 AAAA1\nhost ssh-rsa AAAA2\nuser ssh-ed25519 AAAA3\n"
        #expect(
            try BackupIdentity.answers(to: [BackupIdentity()], from: output) == [
                BackupIdentity(): .init(hostKeys: ["ssh-ed25519 AAAA1", "ssh-rsa AAAA2"], userKey: "ssh-ed25519 AAAA3")
            ])
        #expect(try BackupIdentity.answers(to: [BackupIdentity()], from: "") == [BackupIdentity(): .init()])
    }

    @Test("the mark of an errand")
    func mark() throws {
        let questions = [ErrandMark("a"), ErrandMark("b")]
        let answers = try ErrandMark.answers(to: questions, from: "=\n=x1\n")
        #expect(answers == [questions[0]: nil, questions[1]: "x1"])
        #expect(ErrandMark.new() != ErrandMark.new())
    }
}
