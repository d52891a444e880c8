import Engine
import Testing

@testable import SystemResources

@Suite("Transparent huge pages")
struct TransparentHugePagesTests {
    private static let path = "/sys/kernel/mm/transparent_hugepage/enabled"
    private static let unit = "drover-no-huge-pages.service"

    private func facts(
        unitFile: String, isWritten: Bool, live: FileContent.Answer, isWritable: Bool
    ) throws -> Facts {
        let pages = TransparentHugePages.off
        var facts = Facts()
        for question in pages.questions {
            if let content = question as? FileContent {
                facts.record(content.path == Self.path ? live : isWritten ? .asExpected : .absent, to: content)
            }
            if let status = question as? FileStatus {
                let file = FileStatus.Attributes(
                    kind: .file, mode: 0o644, owner: "root", group: "root", modified: .init(nanoseconds: 1))
                facts.record(isWritten ? file : nil, to: status)
            }
        }
        facts.record(.init(active: "active", unitFile: unitFile), to: UnitStatus(Self.unit))
        facts.record(isWritable, to: FileAccess(Self.path))
        return facts
    }

    private static let rows:
        [(
            unitFile: String, isWritten: Bool, live: FileContent.Answer, isWritable: Bool, changes: [String],
            notices: Int
        )] = [
            ("enabled", true, .asExpected, true, [], 0),
            ("enabled", true, .different("[always] madvise never\n"), true, ["make no transparent huge pages"], 0),
            ("enabled", true, .different("[always] madvise never\n"), false, [], 1),
            ("enabled", true, .absent, false, [], 0),
            ("disabled", true, .asExpected, true, ["enable drover-no-huge-pages"], 0),
            (
                "", false, .different("[always] madvise never\n"), true,
                [
                    "write /etc/systemd/system/drover-no-huge-pages.service", "enable drover-no-huge-pages",
                    "make no transparent huge pages",
                ], 0
            ),
        ]

    @Test(
        "are given up, now and after the next boot; where the kernel is another's, that is said",
        arguments: rows.indices)
    func changes(index: Int) throws {
        let row = Self.rows[index]
        let facts = try facts(
            unitFile: row.unitFile, isWritten: row.isWritten, live: row.live, isWritable: row.isWritable)
        let pages = TransparentHugePages.off
        #expect(try pages.changes(given: facts, after: PendingEffects()).map(\.summary) == row.changes)
        #expect(try pages.notices(given: facts).count == row.notices)
    }
}
