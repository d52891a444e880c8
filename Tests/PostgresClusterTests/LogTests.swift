import Diagnostics
import Engine
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Logs")
struct LogTests {
    private func selection(_ words: [String], units: [String] = []) throws -> LogSelection {
        let directory = try TemporaryDirectory(["hosts.yml": Sample.text()])
        let inventory = try Inventory.load(
            file: directory.path + "/hosts.yml", extraVariables: ["patroni_restapi_password=rest-pw"])
        return try LogSelection(words, units: units, of: ClusterConfiguration(inventory), in: inventory)
    }

    @Test("all daemons unless something is selected")
    func everything() throws {
        let selection = try selection([])
        #expect(!selection.needsLeader)
        #expect(
            selection.units(leader: nil) == [
                "pg1": ["patroni", "patroni-fence", "pgbouncer", "etcd", "haproxy"].map { "\($0).service" },
                "pg2": ["patroni", "patroni-fence", "pgbouncer", "etcd", "haproxy"].map { "\($0).service" },
                "pg3": ["patroni", "patroni-fence", "pgbouncer", "etcd"].map { "\($0).service" },
            ])
    }

    @Test("a role selects its daemons, a pattern all those of its hosts, and both together what either does")
    func roles() throws {
        #expect(
            try selection(["balancer", "pg3"], units: ["etcd", "haproxy.service"]).units(leader: nil) == [
                "pg1": ["haproxy.service"], "pg2": ["haproxy.service"], "pg3": ["etcd.service"],
            ])
        #expect(try selection(["etcd_cluster"], units: ["etcd"]).units(leader: nil).count == 3)
    }

    @Test("the leader is asked from the cluster")
    func leader() throws {
        let selection = try selection(["leader"], units: ["patroni"])
        #expect(selection.needsLeader)
        #expect(selection.hosts.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(selection.units(leader: "pg2") == ["pg2": ["patroni.service"]])
        #expect(
            try self.selection(["replica"], units: ["patroni"]).units(leader: "pg2") == [
                "pg1": ["patroni.service"], "pg3": ["patroni.service"],
            ])
    }

    @Test(
        "what names nothing is refused",
        arguments: [(["pg9"], []), ([], ["patrony"]), (["backup"], []), (["etcd"], ["haproxy"])])
    func wrong(words: [String], units: [String]) throws {
        #expect(throws: (any Error).self) { try selection(words, units: units) }
    }

    @Test(
        "from when on",
        arguments: [
            ("90s", 10), ("1m", 40), ("2h", -7100), ("1d", -86_300), ("1970-01-01 00:01Z", 60),
            ("1970-01-01 01:00:30+01:00", 30),
        ])
    func start(text: String, seconds: Int) throws { #expect(try LogStart(text).seconds(at: 100) == seconds) }

    @Test("wrong times", arguments: ["yesterday", "2026-11-25 03:40", "5", "-5m"])
    func wrongStart(text: String) { #expect(throws: Diagnostic.self) { try LogStart(text) } }

    /// Recorded on Debian 12 (systemd 252).
    private static let recorded = #"""
        {"_SYSTEMD_UNIT":"patroni.service","SYSLOG_IDENTIFIER":"python3","MESSAGE":"2026-11-25 03:40:32,460 INFO: promoted self to leader because I had the session lock","_TRANSPORT":"stdout","__REALTIME_TIMESTAMP":"1795578032467540","PRIORITY":"6"}
        {"MESSAGE":"patroni.service: Main process exited, code=killed, status=9/KILL","UNIT":"patroni.service","SYSLOG_IDENTIFIER":"systemd","_TRANSPORT":"journal","__REALTIME_TIMESTAMP":"1795578032467541","PRIORITY":"5","_SYSTEMD_UNIT":"init.scope"}
        {"MESSAGE":[27,91,51,49,109,255],"_SYSTEMD_UNIT":"etcd.service","__REALTIME_TIMESTAMP":"1795578032467542","PRIORITY":"3"}
        {"MESSAGE":null,"_SYSTEMD_UNIT":"etcd.service","__REALTIME_TIMESTAMP":"1795578032467543"}

        """#

    @Test("a line of the journal, also one about a unit, and one that is no text")
    func journal() throws {
        var merge = LogMerge(hosts: ["pg1"], since: Moment(seconds: 0))
        merge.add(Array(Self.recorded.utf8), from: "pg1")
        let entries = merge.takeAll()
        #expect(entries.map(\.unit) == ["patroni", "patroni", "etcd", "etcd"])
        #expect(entries.map(\.priority) == [6, 5, 3, 6])
        #expect(entries[0].time.description == "2026-11-25 03:40:32.46754 UTC")
        #expect(entries[1].message.hasSuffix("status=9/KILL"))
        #expect(entries[2].message == "\u{1b}[31m\u{fffd}")
    }

    private static func line(_ time: Int, _ text: String) -> String {
        #"{"__REALTIME_TIMESTAMP":"\#(time)","_SYSTEMD_UNIT":"u.service","MESSAGE":"\#(text)"}"# + "\n"
    }

    @Test("in order of time, whatever the pieces in which it arrives")
    func order() {
        let bytes = Array((Self.line(3, "c") + Self.line(5, "e")).utf8)
        for cut in [1, 20, bytes.count - 1] {
            var merge = LogMerge(hosts: ["a", "b"], since: Moment(seconds: 0))
            merge.add(Array(bytes[..<cut]), from: "a")
            merge.add(Array(Self.line(4, "d").utf8), from: "b")
            merge.add(Array(bytes[cut...]), from: "a")
            #expect(merge.takeAll().map(\.message) == ["c", "d", "e"])
            #expect(merge.takeAll().isEmpty)
        }
    }

    @Test("what follows waits for the past of all hosts, and then for one turn")
    func following() {
        var merge = LogMerge(hosts: ["a", "b", "lost"], since: Moment(seconds: 0))
        merge.add(Array((Self.line(3, "c") + LogScript.end + "\n").utf8), from: "a")
        #expect(merge.take().isEmpty)
        merge.add(Array((Self.line(2, "b") + LogScript.end + "\n").utf8), from: "b")
        #expect(merge.take().isEmpty)
        merge.end("lost")
        #expect(merge.take().isEmpty)
        #expect(merge.take().map(\.message) == ["b", "c"])
        merge.add(Array(Self.line(9, "i").utf8), from: "b")
        #expect(merge.take().isEmpty)
        #expect(merge.take().map(\.message) == ["i"])
    }

    @Test("files of PostgreSQL: the zone of a line, the lines that continue it, and what is too old")
    func files() {
        var merge = LogMerge(hosts: ["a"], since: Moment(seconds: 1_795_578_000))
        let text = """
            zone +0100
            file 2026-11-25 03:39:59.999 UTC [1] LOG:  too old
            file 2026-11-25 03:40:32.522 UTC [1] LOG:  received promote request
            file 2026-11-25 04:40:33 CET [1] LOG:  selected new timeline ID: 3
            file \tas it continues

            """
        merge.add(Array(text.utf8), from: "a")
        let entries = merge.takeAll()
        #expect(entries.map(\.unit) == ["postgresql", "postgresql", "postgresql"])
        #expect(
            entries.map(\.time.description) == [
                "2026-11-25 03:40:32.522 UTC", "2026-11-25 03:40:33 UTC", "2026-11-25 03:40:33 UTC",
            ])
    }

    @Test("the script hands the past over to what follows, and quotes what it is given")
    func script() async throws {
        let directory = try TemporaryDirectory(["log dir/a.log": "one\ntwo\n"])
        defer { withExtendedLifetime(directory) {} }
        let script = LogScript(
            units: ["a.service", "it's"], directory: "\(directory.path)/log dir", since: 7, follows: true)
        let run = try await ShellRun.of(
            """
            date() { echo +0000; }
            tail() { cat >/dev/null; }
            journalctl() {
                case "$*" in
                *--show-cursor*) echo '{"past":1}'; echo '-- cursor: s=1;i=2' ;;
                *) echo "{$*}" ;;
                esac
            }
            \(script.text.reveal().replacing("exec journalctl", with: "journalctl"))
            """)
        #expect(
            run.output == """
                zone +0000
                {"past":1}
                file one
                file two
                end of the past
                {--quiet --no-pager --output=json --output-fields=MESSAGE,PRIORITY,_SYSTEMD_UNIT,UNIT,_TRANSPORT,SYSLOG_IDENTIFIER \
                --unit=a.service --unit=it's --follow --no-tail --after-cursor=s=1;i=2}

                """)
    }

    @Test("PostgreSQL has files of its own only with its collector")
    func directory() throws {
        func directory(_ parameters: String) throws -> String? {
            try Sample.configuration(Sample.text(Sample.variables + ["postgresql_parameters: [\(parameters)]"]))
                .logDirectory
        }
        #expect(try directory("") == nil)
        let collector = "{ option: logging_collector, value: 'on' }"
        #expect(try directory(collector) == "/var/lib/postgresql/15/main/log")
        #expect(
            try directory(collector + ", { option: log_directory, value: /var/log/postgresql }")
                == "/var/log/postgresql")
    }
}
