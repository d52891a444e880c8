import Engine
import Inventory
import Testing

@testable import PostgresCluster

@Suite("Status of the backups")
struct BackupStatusTests {
    private static let day = 86_400
    private static let stop = 1_795_353_811
    private static let healthy = ArchiverStatus.Archiver(
        isOn: true, archived: .init(wal: "0B", time: 2), failed: .init(wal: "0A", time: 1), failures: 3)
    private static let failing = ArchiverStatus.Archiver(
        isOn: true, archived: .init(wal: "0A", time: 1), failed: .init(wal: "0B", time: 2), failures: 4)

    private struct Row: Sendable {
        var leader: (name: String, archiver: ArchiverStatus.Archiver?)? = ("pg2", healthy)
        var json = BackupSample.info
        var age = 60
        var isArchiving = true
        var findings: [String] = []
    }

    private static let rows = [
        Row(), Row(age: 8 * day), Row(age: 8 * day + 1, findings: ["the newest backup is 8 days old"]),
        Row(
            leader: ("pg2", .init(isOn: false, failures: 0)), isArchiving: false,
            findings: ["pg2 does not archive its log: archive_mode waits for a restart"]),
        Row(
            leader: ("pg2", .init(isOn: true, isLeftOff: true, failures: 0)), isArchiving: false),
        Row(leader: ("pg2", failing), isArchiving: false, findings: ["pg2 fails to archive 0B"]),
        Row(leader: ("pg2", nil), isArchiving: false), Row(leader: nil, isArchiving: false),
        Row(json: BackupSample.noBackups, findings: ["the repository of the backups says: no valid backups"]),
        Row(json: BackupSample.noStanza, findings: ["the repository of the backups says: missing stanza path"]),
        Row(json: "", findings: ["the repository of the backups does not answer"]),
        Row(
            json:
                #"[{"backup":[],"db":[],"name":"demo","repo":[{"status":{"code":99,"message":"[HostConnectError] no way"}}],"#
                + #""status":{"code":99,"message":"other"}}]"#,
            findings: ["the repository of the backups says: no way"]),
        Row(
            json: BackupSample.info.replacing(#""error":false"#, with: #""error":true"#),
            findings: ["the newest backup has pages with wrong checksums"]),
    ]

    @Test("finds what is not as it should be", arguments: rows.indices)
    func findings(index: Int) throws {
        let row = Self.rows[index]
        let told = try BackupSample.answer(row.json, at: Self.stop + row.age)
        let status = BackupStatus(leader: row.leader, told: told)
        #expect(status.findings.map(\.text) == row.findings)
        #expect(status.isArchiving == row.isArchiving)
        if status.newest != nil { #expect(status.age == row.age) }
    }

    @Test("tells of the archive and of the newest backup")
    func parts() throws {
        let told = try BackupSample.answer(BackupSample.info, at: Self.stop + 60)
        let status = BackupStatus(leader: ("pg2", Self.healthy), told: told)
        #expect(status.archived == "0B")
        #expect(status.failures == 3)
        #expect(status.newest == "20261122-132203F_20261122-132327D")
        #expect(status.age == 60)
        #expect(status.count == 2)
    }

    @Test("the status of a cluster has its backups, and asks who can tell of them", arguments: [true, false])
    func whole(hasHost: Bool) throws {
        let configuration = try Sample.configuration(
            BackupSample.text(hasHost ? [] : BackupSample.s3, hasHost: hasHost))
        let reader = StatusReader(configuration: configuration)
        var observed = Observations()
        let witness = try #require(configuration.hosts.first { $0.name == (hasHost ? "bk" : "pg3") })
        observed[witness] = try BackupSample.facts(BackupSample.info)
        for host in configuration.hosts {
            let asked = FactRequests(reader.questions(of: host)).unanswered(by: observed[host])
            let asks = !FactRequests([BackupSample.question]).isEmpty && asked.isEmpty == false
            #expect(asks || host.name == witness.name)
        }
        let status = reader.status(given: observed, members: [], unreachable: [])
        #expect(status.backups?.count == 2)
    }
}
