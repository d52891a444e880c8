import Foundation
import Testing

/// The snapshot of a lab on whose hosts the cluster of `inventory/lab.yml` runs, made once for a build of the program.
actor DeployedSnapshot {
    static let shared = DeployedSnapshot()

    /// With what the passwords of the cluster begin, and the names of these snapshots.
    static let prefix = "deployed"

    private var making: Task<String, any Error>?

    /// Its name, when it is there.
    var name: String {
        get async throws {
            let task = making ?? Task { try await Self.make() }
            making = task
            return try await task.value
        }
    }

    private static func make() async throws -> String {
        let name = "\(prefix)\(try await digest())"
        let present = try await Drover.lab(["snapshots"]).output.linesOfOutput
        if present.contains(name) { return name }
        // Those of other builds; one that a lab still uses stays.
        for stale in present where stale.hasPrefix(prefix) { _ = try await Drover.run("lab", "forget", stale) }

        let lab = TestLab(name: "making\(ProcessInfo.processInfo.processIdentifier)", prefix: prefix)
        try await Drover.lab(["up", "3", "--prepared", "--name", lab.name], seconds: 1200)
        try lab.writeInventory()
        let deployment = try await lab.apply()
        try #require(deployment.status == 0, "\(deployment.everything)")
        try await lab.eventually("the new cluster is whole") { $0.findings.isEmpty }
        try await Drover.lab(["snapshot", name, "--name", lab.name])
        try await Drover.lab(["down", "--name", lab.name])
        return name
    }

    /// Twelve digits that change with the program, the templates and the inventory.
    private static func digest() async throws -> String {
        let files = [Drover.program, "\(Drover.checkout)/inventory/lab.yml"]
        let command = #"cat "$@" | sha256sum | cut -c-12"#
        let result = try await Command.run(
            ["sh", "-c", command, "sh"] + files
                + FileManager.default.contentsOfDirectory(atPath: "\(Drover.checkout)/templates").sorted()
                .map { "\(Drover.checkout)/templates/\($0)" })
        try #require(result.status == 0, "\(result.everything)")
        return result.output.trimmed
    }
}
