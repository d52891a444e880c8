import Testing

@testable import ClusterCLI
import DroverCLI
@testable import PostgresCluster

@Suite("Backups in words")
struct BackupTextTests {
    private static let backup = PgBackRestInfo.Backup(
        label: "20261122-132203F", type: .full, timestamp: .init(start: 1_795_353_723, stop: 1_795_353_726),
        archive: .init(start: "04", stop: "05"), info: .init(size: 23_267_311, repository: .init(delta: 2_866_976)),
        error: false)

    @Test("a list")
    func list() {
        let list = BackupList(stanza: "demo", backups: [Self.backup], message: "ok", now: 1_795_353_826)
        #expect(
            BackupListText(list: list).lines == [
                "backup            type  complete since        age    took   database  stored",
                "20261122-132203F  full  2026-11-22T13:22:06Z  100 s  3.0 s  22 MiB    2799 KiB",
            ])
    }

    @Test("no backups")
    func none() {
        let list = BackupList(stanza: "demo", backups: [], message: "no valid backups", now: 0)
        #expect(BackupListText(list: list).lines == ["No backups of 'demo': no valid backups"])
    }

    @Test(
        "ages",
        arguments: [
            (-5, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"),
            (172_800, "2 days"), (900_000, "10 days"),
        ])
    func age(seconds: Int, expected: String) { #expect(Text.age(seconds) == expected) }

    @Test("on the screen of the cluster")
    func status() {
        var status = ClusterStatus(
            cluster: "demo", members: [], etcd: [], address: nil, balancers: [], findings: [])
        let archiver = ArchiverStatus.Archiver(isOn: true, archived: .init(wal: "0B", time: 2), failures: 3)
        let stanza = PgBackRestInfo.Stanza(
            name: "demo", db: [], backup: [Self.backup], status: .init(code: 0, message: "ok"))
        status.backups = BackupStatus(
            leader: ("pg1", archiver), told: .init(stanza: stanza, now: 1_795_353_726 + 7200))
        let lines = StatusText(status: status, style: Style(isColoured: false)).lines
        #expect(
            lines.suffix(4) == [
                "archive  last segment  failed attempts  backups  newest            age",
                "healthy  0B            3                1        20261122-132203F  2 h", "",
                "Nothing to complain about.",
            ])
    }
}
