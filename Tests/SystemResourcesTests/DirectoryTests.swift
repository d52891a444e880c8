import Engine
import Testing

@testable import SystemResources

@Suite("Directory")
struct DirectoryTests {
    private static let rows: [(status: FileStatus.Attributes?, expected: [String])] = [
        (.directory(0o700, owner: "etcd", group: "etcd"), []),
        (nil, ["make directory /var/lib/x"]),
        (.file(), ["make directory /var/lib/x"]),
        (.directory(0o700), ["set owner root:root → etcd:etcd of /var/lib/x"]),
        (.directory(0o755, owner: "etcd", group: "etcd"), ["set mode 0755 → 0700 of /var/lib/x"]),
        (.directory(0o2700, owner: "etcd", group: "etcd"), ["set mode 2700 → 0700 of /var/lib/x"]),
    ]

    @Test("changes what is not as declared", arguments: rows)
    func decides(status: FileStatus.Attributes?, expected: [String]) throws {
        var facts = Facts()
        facts.record(status, to: FileStatus("/var/lib/x"))
        let resource = Directory("/var/lib/x", owner: "etcd", group: "etcd", mode: 0o700)
        #expect(try resource.changes(given: facts, after: PendingEffects()).map(\.summary) == expected)
    }
}
