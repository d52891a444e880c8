import Engine
import Secrets
import Testing

@testable import SystemResources

@Suite("Sysctl")
struct SysctlTests {
    private static let path = "/etc/sysctl.d/90-drover-net.ipv4.ip_local_port_range.conf"
    private static let write = "write \(path)"
    private static let set = "set sysctl net.ipv4.ip_local_port_range 32768 60999 → 1024 65535"

    private struct Row: Sendable {
        var value: String?
        var isWritable = true
        var file: FileContent.Answer
        var changes: [String] = []
        var notices: [String] = []
    }

    private static let rows: [Row] = [
        Row(value: "1024 65535", file: .asExpected),
        Row(value: "1024 65535", isWritable: false, file: .asExpected),
        Row(value: "1024 65535", file: .absent, changes: [write]),
        Row(value: "32768 60999", file: .asExpected, changes: [set]),
        Row(value: "32768 60999", file: .different("x"), changes: [write, set]),
        Row(
            value: "32768 60999", isWritable: false, file: .asExpected,
            notices: [
                "net.ipv4.ip_local_port_range stays 32768 60999: it is read-only on this host, as in a container"
            ]),
        Row(
            value: nil, isWritable: false, file: .asExpected,
            notices: ["the kernel has no parameter net.ipv4.ip_local_port_range"]),
    ]

    @Test("is set after the module is loaded that brings it, earlier in the same play")
    func module() throws {
        let resource = Sysctl("net.netfilter.x", "1")
        var facts = Facts()
        let path = "/etc/sysctl.d/90-drover-net.netfilter.x.conf"
        facts.record(.absent, to: FileContent("/proc/sys/net/netfilter/x", expected: "1\n"))
        facts.record(false, to: FileAccess("/proc/sys/net/netfilter/x"))
        facts.record(.file(), to: FileStatus(path))
        facts.record(.asExpected, to: FileContent(path, expected: "net.netfilter.x = 1\n"))
        #expect(try resource.changes(given: facts, after: PendingEffects()).isEmpty)
        let pending = PendingEffects([.writes("/sys/module/nf_conntrack")])
        let change = try only(resource.changes(given: facts, after: pending))
        #expect(change.summary == "set sysctl net.netfilter.x → 1")
        #expect(change.script.reveal() == "sysctl --quiet --write 'net.netfilter.x=1'")
    }

    @Test("is set now and for the next boot", arguments: rows)
    private func decides(row: Row) throws {
        let resource = Sysctl("net.ipv4.ip_local_port_range", "1024 65535")
        var facts = Facts()
        let live = "/proc/sys/net/ipv4/ip_local_port_range"
        let content: FileContent.Answer =
            switch row.value {
            case nil: .absent
            case "1024 65535": .asExpected
            case let value?: .different(value.replacing(" ", with: "\t") + "\n")
            }
        facts.record(content, to: FileContent(live, expected: "1024\t65535\n"))
        facts.record(row.isWritable, to: FileAccess(live))
        facts.record(row.file == .absent ? nil : .file(), to: FileStatus(Self.path))
        facts.record(
            row.file, to: FileContent(Self.path, expected: "net.ipv4.ip_local_port_range = 1024 65535\n"))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == row.changes)
        #expect(try resource.notices(given: facts) == row.notices)
        #expect(
            (changes.last?.script.reveal() == "sysctl --quiet --write 'net.ipv4.ip_local_port_range=1024 65535'")
                == row.changes.contains(Self.set))
    }
}
