import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Mount")
struct MountTests {
    private static let mount = Mount("/srv/my data", from: "tmpfs", type: "tmpfs", options: ["size=1m", "nodev"])
    private static let line = #"tmpfs /srv/my\040data tmpfs size=1m,nodev 0 0"#
    private static let live = MountedAt.Found(source: "tmpfs", type: "tmpfs", options: ["rw", "nodev", "size=1024k"])
    private static let write = "write /srv/my data in /etc/fstab"
    private static let remount = "remount /srv/my data with size=1m,nodev"
    private static let replace = "replace what is mounted at /srv/my data"
    private static let path = "/srv/my data"

    private struct Row: Sendable {
        var mount = MountTests.mount
        var live: MountedAt.Found? = MountTests.live
        var table = [MountTests.line]
        var expected: [String] = []
    }

    private static let rows: [Row] = [
        Row(),
        Row(live: nil, table: [], expected: [write, "mount /srv/my data"]),
        Row(live: nil, expected: ["mount /srv/my data"]),
        Row(table: [], expected: [remount, write]),
        Row(table: [line.replacing("1m", with: "2m")], expected: [remount, write]),
        Row(live: .init(source: "tmpfs", type: "tmpfs", options: ["rw"]), expected: [remount]),
        Row(live: .init(source: "tmpfs", type: "tmpfs", options: ["ro", "nodev"]), expected: [remount]),
        Row(live: .init(source: "/dev/x", type: "ext4"), expected: [replace]),
        Row(table: [#"/dev/x /srv/my\040data tmpfs x 0 0"#], expected: [write, replace]),
        Row(
            mount: Mount(path, from: "/a", type: "none", options: ["bind"]),
            live: .init(source: "/dev/x", type: "ext4", options: ["ro"]),
            table: [#"/a /srv/my\040data none bind 0 0"#]),
        Row(
            mount: Mount(path, from: "/a", type: "none", options: ["bind", "ro"]),
            live: .init(source: "/dev/x", type: "ext4", options: ["rw"]),
            table: [#"/a /srv/my\040data none bind,ro 0 0"#], expected: ["remount /srv/my data with bind,ro"]),
        Row(
            mount: Mount(path, from: "UUID=1", type: "ext4", pass: 2), live: .init(source: "/dev/x", type: "ext4"),
            table: [#"UUID=1 /srv/my\040data ext4 defaults 0 2"#]),
        Row(mount: Mount(path, from: "tmpfs", type: "tmpfs", options: ["size=1m", "nodev"], now: false), live: nil),
        Row(mount: Mount(path, from: "x", type: "nfs", now: false), live: nil, table: [], expected: [write]),
        Row(mount: .none(at: path), live: nil, table: []),
        Row(
            mount: .none(at: path), expected: ["unmount /srv/my data", "remove /srv/my data from /etc/fstab"]),
    ]

    private func changes(_ row: Row) throws -> [Change] {
        var facts = Facts()
        facts.record(row.live, to: MountedAt(Self.path))
        facts.record(lines: row.table, in: "/etc/fstab")
        return try row.mount.changes(given: facts, after: PendingEffects())
    }

    @Test("is mounted now and at the next boot", arguments: rows)
    private func decides(row: Row) throws {
        #expect(try changes(row).map(\.summary) == row.expected)
    }

    @Test("a remount is told all options, and comes before the table: an interrupted run is continued")
    func remount() async throws {
        let changes = try changes(Row(table: []))
        let run = try await HostShell.run([changes[0]], with: ["mount": "echo \"$@\""])
        #expect(run.output == "--options-mode=ignore --options remount,size=1m,nodev -- /srv/my data\n")
        #expect(changes[1].script.reveal().hasSuffix("\nsystemctl daemon-reload"))
        #expect(changes[1].effects == [.writes("/etc/fstab")])
    }

    @Test("what is mounted is read, blanks and all")
    func mounted() async throws {
        let directory = try TemporaryDirectory([
            "mounts":
                "/dev/a / ext4 rw 0 0\n/dev/a /srv/my\\040data xfs ro 0 0\ntmpfs /srv/my\\040data tmpfs rw,x=1 0 0\n"
        ])
        let questions = ["/srv/my data", "/srv", "/"].map(MountedAt.init)
        let script = MountedAt.script(for: questions).reveal().replacing(
            "/proc/mounts", with: directory.path + "/mounts")
        let answers = try MountedAt.answers(to: questions, from: await ShellRun.of(script).output)
        #expect(
            questions.map { answers[$0] ?? nil } == [
                .init(source: "tmpfs", type: "tmpfs", options: ["rw", "x=1"]), nil,
                .init(source: "/dev/a", type: "ext4", options: ["rw"]),
            ])
    }
}
