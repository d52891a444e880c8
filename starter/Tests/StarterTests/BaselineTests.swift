import Drover
import Inventory
import SystemResources
import Testing

@testable import Starter

/// Facts in, changes out: what the playbook does to a host, without any host.
@Suite("baseline")
struct BaselineTests {
    /// A host that is as declared, but for what a row says otherwise.
    struct Row: Sendable {
        var what: String
        var curl: String? = "7.88.1-10"
        /// What is in a file, by its path.
        var contents: [String: FileContent.Answer] = [:]
        /// When the journal's configuration was written; its daemon was started at 100.
        var written = 50
        var expected: [String] = []
    }

    static let size = "/etc/systemd/journald.conf.d/size.conf"

    static let rows = [
        Row(what: "a host as declared"),
        Row(what: "no curl", curl: nil, expected: ["install curl"]),
        Row(what: "another message", contents: ["/etc/motd": .different("hello\n")], expected: ["write /etc/motd"]),
        Row(
            what: "another size", contents: [size: .different("[Journal]\n")],
            expected: ["write \(size)", "restart systemd-journald"]),
        Row(what: "a run that died before the restart", written: 150, expected: ["restart systemd-journald"]),
    ]

    @Test("changes what is not as declared", arguments: rows)
    func changes(row: Row) throws {
        let inventory = try Inventory.load(file: Installation.path(of: "inventory/hosts.yml"))
        let plays = try Baseline().plays(for: inventory)
        var observed = Observations()
        for play in plays {
            for host in play.hosts {
                for question in try play.resources(on: host).flatMap(\.questions) {
                    answer(question, as: row, in: &observed[host])
                }
            }
        }
        for host in try Plan(plays, observed: observed).stages.flatMap(\.hosts) {
            #expect(host.steps.map(\.change.summary) == row.expected, "\(row.what): \(host.host.name)")
        }
    }

    private func answer(_ question: any Fact, as row: Row, in facts: inout Facts) {
        switch question {
        case let package as PackageStatus: facts.record(.init(version: row.curl), to: package)
        case let content as FileContent: facts.record(row.contents[content.path] ?? .asExpected, to: content)
        case let status as FileStatus:
            let isDirectory = status.path.hasSuffix(".d")
            facts.record(
                .init(
                    kind: isDirectory ? .directory : .file, mode: isDirectory ? 0o755 : 0o644, owner: "root",
                    group: "root", modified: Timestamp(nanoseconds: row.written)), to: status)
        case let unit as UnitStatus:
            facts.record(
                .init(active: "active", unitFile: "static", started: Timestamp(nanoseconds: 100)), to: unit)
        default: Issue.record("nobody answers \(question)")
        }
    }
}
