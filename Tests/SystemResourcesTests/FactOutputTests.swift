import Engine
import Testing

@testable import SystemResources

@Suite("Facts from output")
struct FactOutputTests {
    @Test("file status")
    func fileStatus() throws {
        let output = """
            regular file|644|root|root|1732254985.123456789|/etc/motd
            regular empty file|600|postgres|postgres|0.000000000|/a|b
            directory|2755|root|adm|1732254985.000000001|/var/log
            symbolic link|777|root|root|1732254985.000000000|/etc/mtab

            """
        let paths = ["/etc/motd", "/a|b", "/var/log", "/etc/mtab", "/none"]
        let answers = try FileStatus.answers(to: paths.map { FileStatus($0) }, from: output)
        func answer(_ path: String) throws -> FileStatus.Attributes? { try #require(answers[FileStatus(path)]) }
        #expect(try answer("/etc/motd") == .file(modified: 1_732_254_985_123_456_789))
        #expect(try answer("/a|b") == .file(0o600, owner: "postgres", group: "postgres"))
        #expect(try answer("/var/log")?.kind == .directory)
        #expect(try answer("/var/log")?.mode == 0o2755)
        #expect(try answer("/etc/mtab")?.kind == .other("symbolic link"))
        #expect(try answer("/none") == nil)
    }

    @Test(
        "a mode is four octal digits",
        arguments: [(0o640, "0640"), (0o2755, "2755"), (0, "0000")] as [(FileMode, String)])
    func mode(mode: FileMode, text: String) {
        #expect(mode.description == text)
        #expect(FileMode(octal: text) == mode)
    }

    @Test(
        "moments, as stat and systemd write them",
        arguments: [
            ("1970-01-01 00:00:00.000000", "0.000000000"), ("2000-02-29 23:59:59.999999", "951868799.999999000"),
            ("2024-12-31 00:00:00.000001", "1735603200.000001000"),
            ("2026-11-22 05:56:25.123456", "1795326985.123456000"),
            ("2100-03-01 00:00:00.000000", "4107542400.000000000"),
        ])
    func timestamps(systemd: String, stat: String) throws {
        let moment = try #require(Timestamp(systemd: "Sun \(systemd) UTC"))
        #expect(moment == Timestamp(seconds: stat))
    }

    @Test(
        "what is no moment",
        arguments: [
            "", "n/a", "Sun 2026-11-22 05:56:25.123456 CET", "Sun 2026-11-22",
            "Sun 2026-11-999999 05:56:25.123456 UTC", "Sun 2026-13-22 05:56:25.123456 UTC",
            "Sun 2026-11-22 999999:56:25.123456 UTC", "Sun 2026-11-22 -999999999999999999:56:25.123456 UTC",
            "Sun 2026-11-22 05:56:25.-999999999999999999 UTC",
        ])
    func noTimestamp(text: String) {
        #expect(Timestamp(systemd: text) == nil)
    }

    @Test("units")
    func units() throws {
        let output = """
            ActiveState=active
            UnitFileState=enabled
            FragmentPath=/lib/systemd/system/ssh.service
            NeedDaemonReload=no
            ExecMainStartTimestamp=Sun 2026-11-22 05:56:25.123456 UTC
            StateChangeTimestamp=Sun 2026-11-22 05:56:26.000000 UTC

            ActiveState=inactive
            UnitFileState=
            NeedDaemonReload=no
            ExecMainStartTimestamp=
            StateChangeTimestamp=n/a

            """
        let questions = [UnitStatus("ssh.service"), UnitStatus("none.service")]
        let answers = try UnitStatus.answers(to: questions, from: output)
        #expect(
            answers[questions[0]]
                == .init(
                    active: "active", unitFile: "enabled", path: "/lib/systemd/system/ssh.service",
                    started: Timestamp(seconds: "1795326985.123456000"),
                    changedState: Timestamp(seconds: "1795326986.000000000")))
        #expect(answers[questions[1]] == .init(active: "inactive", unitFile: ""))
        #expect(throws: UnreadableAnswer.self) { try UnitStatus.answers(to: questions, from: "") }
        #expect(throws: UnreadableAnswer.self) { try UnitStatus.answers(to: [questions[0]], from: output) }
    }

    @Test(
        "a unit is read again when systemd does not know a drop-in of it, whatever it says",
        arguments: [
            ("loaded", "", true), ("loaded", "/etc/systemd/system/etcd.service.d/drover.conf", false),
            ("not-found", "", false),
        ])
    func firstDropIn(state: String, known: String, isUnread: Bool) throws {
        let output = """
            drop-in /etc/systemd/system/etcd.service.d/drover.conf
            ActiveState=inactive
            LoadState=loaded
            DropInPaths=
            NeedDaemonReload=no

            ActiveState=inactive
            LoadState=\(state)
            DropInPaths=\(known)
            NeedDaemonReload=no
            """
        let questions = [UnitStatus("ssh.service"), UnitStatus("etcd.service")]
        let answers = try UnitStatus.answers(to: questions, from: output)
        #expect(answers[questions[0]]?.needsDaemonReload == false)
        #expect(answers[questions[1]]?.needsDaemonReload == isUnread)
        #expect(answers[questions[1]]?.dropIns == (known.isEmpty ? [] : [known]))
    }

    @Test("packages: only what is unpacked and configured is installed")
    func packages() throws {
        let output = """
            curl|ii |7.88.1-10+deb12u8
            etcd-server|rc |3.4.23-4
            haproxy|iF |2.6.12-1
            patroni|hi |3.0.2-1

            """
        let names = ["curl", "etcd-server", "haproxy", "patroni", "none"]
        let answers = try PackageStatus.answers(to: names.map(PackageStatus.init), from: output)
        let expected: [PackageStatus.Answer] = [
            .init(version: "7.88.1-10+deb12u8"), .init(version: nil), .init(version: nil),
            .init(version: "3.0.2-1", isHeld: true), .absent,
        ]
        #expect(names.compactMap { answers[PackageStatus($0)] } == expected)
        #expect(throws: UnreadableAnswer.self) {
            try PackageStatus.answers(to: [PackageStatus("a")], from: "dpkg-query: error\n")
        }
    }

    @Test("access to files")
    func access() throws {
        let answers = try FileAccess.answers(to: ["/a", "/b"].map(FileAccess.init), from: "yes\nno\n")
        #expect(answers == [FileAccess("/a"): true, FileAccess("/b"): false])
        #expect(throws: UnreadableAnswer.self) { try FileAccess.answers(to: [FileAccess("/a")], from: "maybe\n") }
    }

    @Test("addresses")
    func addresses() throws {
        let output = """
            1: lo    inet 127.0.0.1/8 scope host lo\\       valid_lft forever preferred_lft forever
            2: eth0    inet 10.70.0.11/24 brd 10.70.0.255 scope global eth0\\       valid_lft forever
            2: eth0    inet 10.70.0.100/24 scope global secondary eth0\\       valid_lft forever
            3: wg0    inet 10.9.0.1 peer 10.9.0.2/32 scope global wg0\\       valid_lft forever

            """
        let answers = try HostAddresses.answers(to: [HostAddresses()], from: output)
        #expect(answers == [HostAddresses(): ["127.0.0.1", "10.70.0.11", "10.70.0.100", "10.9.0.1"]])
    }

    @Test("HTTP responses, in the order of the questions")
    func http() throws {
        let questions = ["/a", "/b", "/c"].map { HTTPResponse("http://h\($0)") }
        let answers = try HTTPResponse.answers(
            to: questions, from: "{\"x\": 1}\n\u{1e}200\u{1e}\u{1e}000\u{1e}down\u{1e}503\u{1e}")
        #expect(questions.compactMap { answers[$0]?.status } == [200, 0, 503])
        #expect(questions.compactMap { answers[$0]?.body } == ["{\"x\": 1}\n", "", "down"])
        #expect(answers[questions[0]]?.json([String: Int].self) == ["x": 1])
        #expect(answers[questions[1]]?.json([String: Int].self) == nil)
        let unanswered = try HTTPResponse.answers(to: questions, from: "")
        #expect(questions.compactMap { unanswered[$0]?.status } == [0, 0, 0])
        #expect(throws: UnreadableAnswer.self) { try HTTPResponse.answers(to: questions, from: "curl: oops") }
    }

    @Test("a host without systemd and an unreadable answer have different errors")
    func noSystemd() {
        let error = #expect(throws: MissingSystemd.self) {
            try UnitStatus.answers(to: [UnitStatus("a.service"), UnitStatus("b.timer")], from: "no systemd\n")
        }
        #expect(
            error?.description
                == "the host does not run systemd (there is no /run/systemd/system), which a.service, b.timer needs; "
                + "boot it with systemd, or declare no units for it")
        #expect(throws: UnreadableAnswer.self) { try UnitStatus.answers(to: [UnitStatus("a.service")], from: "") }
    }
}
