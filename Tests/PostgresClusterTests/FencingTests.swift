import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Fencing of a paused leader")
struct FencingTests {
    @Test(
        "only a version that writes the leader key blindly is corrected or refused",
        arguments: [
            ("3.0.2-1", LeaderLock.correctable), ("3.0.2-1.pgdg120+1", .correctable), ("3.0.1-1", .faulty),
            ("2.1.7-1", .faulty), ("3.0.3-1", .safe), ("3.0.3~rc1-1", .safe), ("4.1.0-1.pgdg120+1", .safe),
            ("3.1", .safe),
        ])
    func versions(version: String, lock: LeaderLock) {
        #expect(LeaderLock(of: version) == lock)
    }

    /// What the correction changes on a host that has a version installed, or is about to get one.
    private func changes(
        installed: String?, candidate: String?, isThere: Bool, notices: Int = 0
    ) throws -> [String] {
        let correction = try PatroniCorrection(
            ClusterTemplates(folder: Sample.folder("templates")), candidate: candidate)
        var facts = Facts()
        facts.record(.init(version: installed), to: PackageStatus("patroni"))
        for question in correction.questions {
            if let status = question as? FileStatus {
                let isDirectory = status.path.hasSuffix(".d")
                facts.record(
                    isThere || isDirectory
                        ? .init(
                            kind: isDirectory ? .directory : .file, mode: isDirectory ? 0o755 : 0o644, owner: "root",
                            group: "root", modified: .init(nanoseconds: 1)) : nil, to: status)
            }
            if let content = question as? FileContent { facts.record(.absent, to: content) }
        }
        let told = try correction.notices(given: facts)
        #expect(told.count == notices)
        #expect(told.allSatisfy { $0.contains("loses acknowledged rows when a paused leader takes the lock back") })
        return try correction.changes(given: facts, after: PendingEffects()).map(\.summary)
    }

    @Test("the correction is installed for exactly its version, and removed with the next one")
    func correction() throws {
        let written = [
            "write /usr/local/lib/drover/patroni", "write /etc/systemd/system/patroni.service.d/correction.conf",
        ]
        #expect(try changes(installed: "3.0.2-1", candidate: nil, isThere: false, notices: 1) == written)
        #expect(try changes(installed: nil, candidate: "3.0.2-1", isThere: false, notices: 1) == written)
        #expect(try changes(installed: nil, candidate: nil, isThere: false, notices: 1) == written)
        #expect(try changes(installed: "4.1.0-1", candidate: nil, isThere: false) == [])
        #expect(try changes(installed: nil, candidate: "4.1.0-1", isThere: false) == [])
        #expect(
            try changes(installed: "3.0.3-1", candidate: "3.0.2-1", isThere: true) == [
                "remove /etc/systemd/system/patroni.service.d/correction.conf", "remove /usr/local/lib/drover/patroni",
            ])
    }

    @Test(
        "the fence acts before the lock expires, and never on a loop that waits for etcd as long as it may",
        arguments: ["patroni_preset: fast", "patroni_preset: norm", "patroni_preset: wide", "patroni_ttl: 30"])
    func limit(variable: String) throws {
        let patroni = try Sample.configuration(Sample.text(Sample.variables + [variable])).patroni
        #expect(patroni.fenceLimit <= patroni.ttl - 2)
        // The other members are asked for failsafe mode twice, for two seconds each; the fence asks once a second.
        #expect(patroni.fenceLimit > patroni.loopWait + patroni.retryTimeout + 2 * 2 + 1)
    }

    private func findings(
        version: String = "3.0.2-1", launcher: Int? = 50, started: Int = 100,
        loads: Set<String> = [PatroniCorrection.dropIn], fence: String = "active",
        watchdog: String? = nil, variables: [String] = []
    ) throws -> [String] {
        let configuration = try Sample.configuration(Sample.text(Sample.variables + variables))
        var observed = Observations()
        let host = configuration.members[0].host
        observed[host].record(.init(version: version), to: PackageStatus("patroni"))
        observed[host].record(
            .init(
                active: "active", unitFile: "enabled", dropIns: loads, needsDaemonReload: true,
                started: .init(nanoseconds: started)),
            to: UnitStatus("patroni.service"))
        observed[host].record(.init(active: fence, unitFile: "enabled"), to: UnitStatus("patroni-fence.service"))
        for path in PatroniCorrection.paths {
            observed[host].record(
                launcher.map {
                    .init(kind: .file, mode: 0o644, owner: "root", group: "root", modified: .init(nanoseconds: $0))
                }, to: FileStatus(path))
        }
        observed[host].record(
            watchdog.map {
                .init(
                    kind: .other("character special file"), mode: 0o600, owner: $0, group: "root",
                    modified: .init(nanoseconds: 1))
            }, to: FileStatus("/dev/watchdog"))
        return FencingFindings(configuration: configuration, observed: observed).all.map {
            "\($0.severity.rawValue): " + $0.text.prefix { $0 != ":" && $0 != "," }
        }
    }

    @Test("status reports a lock that is not safe, a fence that does not run, and a required watchdog that is missing")
    func status() throws {
        let uncorrected = ["critical: pg1 runs Patroni 3.0.2-1 without Drover's correction"]
        #expect(try findings() == [])
        #expect(try findings(version: "4.1.0-1", launcher: nil) == [])
        #expect(try findings(launcher: nil) == uncorrected)
        #expect(try findings(launcher: 101) == uncorrected)
        #expect(try findings(loads: []) == uncorrected, "systemd has not read it")
        #expect(try findings(version: "3.0.1-1") == ["critical: pg1 runs Patroni 3.0.1-1 without Drover's correction"])
        #expect(try findings(fence: "failed") == ["warning: the fence of pg1 does not run"])
        #expect(try findings(watchdog: "postgres") == [])
        #expect(try findings(watchdog: "root") == ["warning: the watchdog of pg1 is not used"])
        #expect(try findings(watchdog: "root", variables: ["patroni_watchdog_mode: 'off'"]) == [])
        let required = ["patroni_watchdog_mode: required"]
        #expect(try findings(watchdog: "postgres", variables: required) == [])
        #expect(try findings(watchdog: "root", variables: required) == ["critical: pg1 cannot lead"])
        #expect(try findings(variables: required) == ["critical: pg1 cannot lead"])
    }
}
