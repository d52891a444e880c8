import Engine
import Testing

@testable import SystemResources

@Suite("No nftables table")
struct NoNftablesTableTests {
    private static let paths = [
        "/etc/drover/nftables/web-1.nft", "/etc/systemd/system/drover-nftables-web-1.service",
        "/var/lib/drover/nftables/web-1",
    ]

    private static let rows: [(listing: [String], unitFile: String, present: [String], changes: [String])] = [
        ([], "", [], []),
        (
            ["table"], "enabled", paths,
            ["delete nftables table web-1", "disable drover-nftables-web-1"] + paths.map { "remove \($0)" }
        ),
        ([], "disabled", [paths[2]], ["remove \(paths[2])"]),
    ]

    @Test("what there is of it goes, and a run that died is finished", arguments: rows)
    func changes(listing: [String], unitFile: String, present: [String], changes: [String]) throws {
        var facts = Facts()
        facts.record(listing, to: NftablesListing("drover_web_1"))
        facts.record(.init(active: "inactive", unitFile: unitFile), to: UnitStatus("drover-nftables-web-1.service"))
        let file = FileStatus.Attributes(
            kind: .file, mode: 0o644, owner: "root", group: "root", modified: .init(nanoseconds: 1))
        for path in Self.paths { facts.record(present.contains(path) ? file : nil, to: FileStatus(path)) }
        let table = NoNftablesTable("web-1")
        #expect(try table.changes(given: facts, after: PendingEffects()).map(\.summary) == changes)
    }
}
