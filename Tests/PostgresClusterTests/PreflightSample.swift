import Engine
import Inventory
import SystemResources

@testable import PostgresCluster

/// What pre-flight finds on hosts of which one answers something else than it should.
enum PreflightSample {
    typealias Spoiling = @Sendable (inout Answers) -> Void

    /// What a host that nobody has deployed to answers, pg1, when all is well. The others are not asked.
    struct Answers: Sendable {
        var variables = Sample.variables + ["cluster_vip: 10.0.0.100"]
        var clock = ClockReading.Answer(least: -0.1, most: 0.1)
        var listeners: [Listeners.Listener] = [
            .init(address: "0.0.0.0", port: 22, program: "sshd", unit: "ssh.service")
        ]
        var fitness = HostFitness.Answer(
            library: "glibc 2.36", free: 2_000_000_000, memory: 8_000_000_000, openFiles: 524_288,
            initialProcess: "systemd")
        var release = OSRelease(distribution: "debian", version: "12", codeName: "bookworm")
        var networks: [String]? = ["10.0.0.1/24"]
        var locales: Set = ["C", "C.utf8"]
        var directory = PostgresDirectory.Answer.empty
        var etcd = UnitStatus.Answer(active: "inactive", unitFile: "")
        var hasEtcdData = false
        var hasWatchdog = true
        var addresses: Set = ["10.0.0.1"]
        var sounding = Sounding.Answer()
        var lacking: Set<String> = []
        /// The versions of packages that it has.
        var installed: [String: String] = [:]
        /// What its repositories offer; of packages that are not here, version 1.
        var offered = UpstreamDefectTests.debian
        /// Whether only this host may be touched, so that the others are not asked for their addresses.
        var isLimited = false
    }

    static func preflight(waiving: Set<PreflightCheck> = [], _ change: Spoiling) throws -> Preflight {
        var answers = Answers()
        change(&answers)
        var cluster = try Sample.cluster(Sample.text(answers.variables))
        let configuration = cluster.configuration
        let host = configuration.members[0].host
        var observed = Observations()
        let questions = cluster.preflight(waiving: []).questions
        var facts = Facts()
        for package in cluster.packages(of: host) {
            facts.record(answers.installed[package].map { .init(version: $0) } ?? .absent, to: PackageStatus(package))
        }
        facts.record(answers.hasWatchdog, to: questions.watchdog)
        facts.record(answers.clock, to: ClockReading())
        for node in configuration.members.dropFirst() {
            observed[node.host].record(.init(least: -0.2, most: 0.2), to: ClockReading())
            observed[node.host].record(
                OSRelease(distribution: "debian", version: "12", codeName: "bookworm"), to: HostRelease())
        }
        facts.record(answers.listeners, to: Listeners())
        facts.record(answers.fitness, to: questions.fitness)
        facts.record(answers.release, to: HostRelease())
        facts.record(answers.networks, to: questions.networks)
        facts.record(answers.locales, to: GeneratedLocales())
        facts.record(answers.directory, to: ClusterQuestions(configuration: configuration).directory)
        facts.record(answers.etcd, to: UnitStatus("etcd.service"))
        facts.record(answers.addresses, to: HostAddresses())
        if !answers.isLimited {
            for node in configuration.balancers.dropFirst() {
                observed[node.host].record([node.address], to: HostAddresses())
            }
        }
        let directory = FileStatus.Attributes(
            kind: .directory, mode: 0o700, owner: "etcd", group: "etcd", modified: .init(nanoseconds: 1))
        facts.record(answers.hasEtcdData ? directory : nil, to: FileStatus(configuration.etcdDirectory + "/member"))
        var sounding = answers.sounding
        for package in cluster.packages(of: host) where !answers.lacking.contains(package) {
            sounding.candidates[package] = answers.offered[package] ?? "99"
        }
        facts.record(sounding, to: questions.sounding(of: host, given: facts))
        observed[host] = facts
        cluster = try Sample.cluster(Sample.text(answers.variables)) { found, _ in found = observed }
        return cluster.preflight(waiving: waiving)
    }
}
