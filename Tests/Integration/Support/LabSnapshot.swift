import Foundation
import Testing

/// The hosts of a lab as tests find them at first, such as a cluster at work.
///
/// They are set up once for a build of the program, and kept as a snapshot, which is restored for each test.
struct LabSnapshot: Sendable {
    /// Up to ten letters. The passwords in its inventory begin with it.
    let name: String
    let hosts: Int
    /// The Debian of the hosts.
    var release = LabRelease.current
    /// Texts of `inventory/lab.yml`, and the texts that replace them.
    let edits: [(old: String, new: String)]
    /// The source file that decides what the hosts become.
    let source: String
    /// Brings hosts that have the packages of a cluster into the state to keep. It finds them as `TestLab.current`.
    let setUp: @Sendable () async throws -> Void
    /// Waits until hosts that have just booted are in that state again.
    let settle: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - setUp: applies `deploy-cluster` unless given.
    ///   - settle: waits for a cluster without findings unless given.
    init(
        _ name: String, hosts: Int = 3, edits: [(old: String, new: String)] = [], source: String = #filePath,
        setUp: @escaping @Sendable () async throws -> Void = Self.deploy,
        settle: @escaping @Sendable () async throws -> Void = Self.awaitCluster
    ) {
        self.name = name
        self.hosts = hosts
        self.edits = edits
        self.source = source
        self.setUp = setUp
        self.settle = settle
    }

    /// What tells it from the same on another Debian, up to ten letters and digits.
    var key: String { release == .bookworm ? name : name.prefix(8) + release.version }

    /// The same on hosts of another Debian.
    func on(_ release: LabRelease) -> LabSnapshot {
        var snapshot = self
        snapshot.release = release
        return snapshot
    }

    /// The cluster of `inventory/lab.yml`, on pg1, pg2 and pg3.
    static let deployed = LabSnapshot("deployed")

    /// The same cluster with its backups on pg4, where the user `keeper` has them.
    static let withBackups = LabSnapshot(
        "backups", hosts: 4,
        edits: [
            (
                "    cluster_vip: 10.70.0.100\n",
                "    cluster_vip: 10.70.0.100\n    pgbackrest_install: true\n    pgbackrest_repo_user: keeper\n"
                    + "    \(NoTimers.pgBackRest)\n"
            ),
            (
                "    balancers:\n",
                "    pgbackrest:\n      hosts:\n        pg4: { ansible_host: 10.70.0.14 }\n    balancers:\n"
            ),
        ])

    @Sendable static func deploy() async throws {
        let deployment = try await TestLab.current.apply()
        try #require(deployment.status == 0, "\(deployment.everything)")
    }

    @Sendable static func awaitCluster() async throws {
        try await TestLab.current.awaitPatroni()
        try await TestLab.current.eventually("the cluster of the snapshot is whole") { status in
            status.findings.isEmpty && status.members.allSatisfy { $0.lag == 0 || $0.role == "leader" }
        }
    }
}

/// The snapshots that are there.
actor LabSnapshots {
    static let shared = LabSnapshots()

    private var made: [String: Task<String, any Error>] = [:]

    /// The name by which `drover lab restore` finds a snapshot, which is taken first if this build has none yet.
    func name(of snapshot: LabSnapshot) async throws -> String {
        let task = made[snapshot.key] ?? Task { try await Self.find(snapshot) }
        made[snapshot.key] = task
        do {
            return try await task.value
        } catch {
            // What failed by an expectation counts as told already, and would let the next tests pass that were not run.
            throw Failure(snapshot: snapshot.name, reason: "\(error)")
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let snapshot: String
        let reason: String

        var description: String { "there is no snapshot '\(snapshot)' to begin with: \(reason)" }
    }

    private static func find(_ snapshot: LabSnapshot) async throws -> String {
        let name = snapshot.key + (try await digest(of: snapshot))
        let present = try await Drover.lab(["snapshots"]).output.linesOfOutput
        if present.contains(name) { return name }
        // Those of other builds; one that a lab still uses stays.
        for stale in present where stale.dropLast(10) == snapshot.key {
            _ = try await Drover.run("lab", "forget", stale)
        }
        // The name of a lab has twenty letters at most. The end of a key tells releases apart.
        let lab = TestLab(
            name: "making\(ProcessInfo.processInfo.processIdentifier)\(snapshot.key.suffix(7))", of: snapshot)
        do {
            try await Drover.lab(lab.release.up(snapshot.hosts, lab.name) + ["--prepared"], seconds: 1200)
            try lab.writeInventories(hosts: snapshot.hosts)
            try await TestLab.$current.withValue(lab) {
                try await snapshot.setUp()
                try await snapshot.settle()
            }
            try await Drover.lab(["snapshot", name, "--name", lab.name])
        } catch {
            if !InLab.keepsLabs { _ = try? await Drover.run("lab", "down", "--name", lab.name) }
            throw error
        }
        try await Drover.lab(["down", "--name", lab.name])
        return name
    }

    /// Ten digits that change with the programs, the templates, the inventory and the source of the snapshot.
    private static func digest(of snapshot: LabSnapshot) async throws -> String {
        let templates = try FileManager.default.contentsOfDirectory(atPath: "\(Drover.checkout)/templates").sorted()
        let files =
            [Drover.program, "\(Drover.program)-tests", "\(Drover.checkout)/inventory/lab.yml", snapshot.source]
            + templates.map { "\(Drover.checkout)/templates/\($0)" }
        let result = try await Command.run(
            ["sh", "-c", #"{ echo "$0"; cat -- "$@"; } | sha256sum | cut -c-10"#, "\(snapshot.edits)"] + files)
        try #require(result.status == 0, "\(result.everything)")
        return result.output.trimmed
    }
}
