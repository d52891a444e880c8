import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Pre-flight as a whole")
struct PreflightCourseTests {
    @Test("all at once, as a refusal that says how a check is left out; with what a guard refuses")
    func refusal() throws {
        let spoilt: PreflightSample.Spoiling = { answers in
            answers.fitness.openFiles = 100
            answers.networks = nil
        }
        let refusal = try #require(throws: Refusal.self) { try PreflightSample.preflight(spoilt).refuseUnlessPassed() }
        #expect(refusal.remedies.map { $0.prefix(10) } == ["interface:", "open-files"])
        #expect(refusal.reason.contains("--skip-preflight NAME leaves a check out"))
        let less = try #require(throws: Refusal.self) {
            try PreflightSample.preflight(waiving: [.interface], spoilt).refuseUnlessPassed()
        }
        #expect(less.remedies.count == 1)
        try PreflightSample.preflight(waiving: [.interface, .openFiles], spoilt).refuseUnlessPassed()

        let guarded = try #require(throws: Refusal.self) {
            try PreflightSample.preflight(spoilt).accompanying([{ throw Refusal("foreign", remedies: []) }])
        }
        #expect(guarded.reason.hasPrefix("foreign\nthe hosts are not ready"))
        try PreflightSample.preflight(spoilt).accompanying([{}])
    }

    @Test("what is left out is told of, and what could not be found out")
    func remarks() throws {
        let preflight = try PreflightSample.preflight(waiving: [.openFiles, .disk]) { answers in
            answers.fitness.openFiles = 10_000
            answers.sounding.deafness = "Operation not permitted"
            answers.offered = [:]
            answers.offered["pgbouncer"] = "1.25.1-1"
            answers.offered["patroni"] = "4.1.4-1"
            answers.offered["etcd-server"] = "3.6.9"
        }
        let host = preflight.cluster.configuration.members[0].host
        let notices = try preflight.play.resources(on: host).flatMap { try $0.notices(given: Facts()) }
        #expect(
            notices == [
                "the check 'disk' is left out; it finds nothing now",
                "the check 'open-files' is left out, which finds: open-files: pg1: a process may open 10000 files, and PgBouncer "
                    + "needs 10200: set pgbouncer_max_client_conn to 9800 or less",
                "who else uses the address and the virtual router id could not be found out: Operation not permitted",
                "pgbouncer 1.25.1-1: anybody who reaches its port can end it by a malformed login (CVE-2026-6664): let only the "
                    + "networks of clients reach its port, on members and balancers (firewall_enabled_at_boot), or install "
                    + "PgBouncer 1.25.2 or later",
            ])
    }

    @Test("a package that is installed is refused for a fault, and no notice tells of it again")
    func installed() throws {
        let preflight = try PreflightSample.preflight { answers in
            answers.installed = ["pgbouncer": "1.18.0-1", "patroni": "3.0.1-1"]
        }
        let host = preflight.cluster.configuration.members[0].host
        #expect(Preflight.lines(of: preflight.findings).map { $0.prefix(29) } == ["defects: pg1: patroni 3.0.1-1"])
        #expect(preflight.defectNotices(on: host) == [])
    }

    @Test("a name that no check has is an error that lists the names")
    func names() throws {
        try PreflightCheck.check(["ports", "router-id"])
        let error = #expect(throws: (any Error).self) { try PreflightCheck.check(["prots"]) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("there is no check 'prots'; did you mean 'ports'? the checks are system, clock, ports, "))
    }

    @Test("the hosts of the backups try each other's SSH, and hosts that filter packets only what is open to all")
    func targets() throws {
        func targets(_ text: String, of name: String) throws -> [String] {
            let cluster = try Sample.cluster(text)
            let host = try #require(cluster.configuration.hosts.first { $0.name == name })
            return cluster.preflight(waiving: []).questions.sounding(of: host, given: Facts()).targets
        }
        let backups = BackupSample.text(hasHost: true)
        #expect(try targets(backups, of: "bk").filter { $0.hasSuffix(":22") }.count == 3)
        #expect(try targets(backups, of: "pg1").filter { $0.hasSuffix(":22") }.count == 1)
        #expect(
            try targets(Sample.text(), of: "pg3").prefix(5)
                == ["10.0.0.1:2379", "10.0.0.1:2380", "10.0.0.1:5432", "10.0.0.1:8008", "10.0.0.1:6432"])
        let filtered = Sample.text(Sample.variables + ["firewall_enabled_at_boot: true"])
        #expect(try targets(filtered, of: "pg3").prefix(2) == ["10.0.0.1:5432", "10.0.0.1:6432"])
    }

    @Test("a host on which all runs is asked little, one that is to be set up looks around")
    func questions() throws {
        let cluster = try Sample.cluster()
        let questions = cluster.preflight(waiving: []).questions
        let host = cluster.configuration.members[2].host
        var observed = Observations()
        #expect(questions.more(of: host, given: observed).isEmpty)
        for package in cluster.packages(of: host) {
            observed[host].record(.init(version: "1"), to: PackageStatus(package))
        }
        for unit in ["etcd", "patroni", "pgbouncer"] {
            observed[host].record(.init(active: "active", unitFile: "enabled"), to: UnitStatus("\(unit).service"))
        }
        #expect(questions.more(of: host, given: observed).isEmpty)
        observed[host].record(.init(active: "failed", unitFile: "enabled"), to: UnitStatus("pgbouncer.service"))
        #expect(questions.more(of: host, given: observed).contains { $0 is Sounding })
        #expect(questions.sounding(of: host, given: observed[host]).packages == [])
    }
}
