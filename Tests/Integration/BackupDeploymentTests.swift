import Foundation
import Testing

/// Deployments of clusters with backups, each on hosts that have the packages and nothing else.
@Suite("Deployment with backups", .lab(of: 3, isPrepared: true))
struct BackupDeploymentTests {
    private var lab: TestLab { TestLab.current }

    /// The inventory of the snapshot `pair`.
    ///
    /// - Parameter replacements: Texts of that inventory, and the texts that replace them.
    private func inventory(replacing replacements: [(String, String)] = []) throws -> String {
        try lab.inventory(replacing: LabSnapshot.pair.edits.map { ($0.old, $0.new) } + replacements)
    }

    @Test("apply does what the plan of the empty hosts said, and ends with a backup; no passphrase is seen")
    func deploy() async throws {
        let inventory = try inventory()
        let saved = "\(lab.folder)/plan.json"
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", inventory, "-o", saved)
        #expect(plan.output.contains("put the block pgbackrest into /home/keeper/.ssh/authorized_keys  pg3"))
        let secret = "lab-passphrase"
        let (result, found) = try await SecretWatch.watching(for: [secret]) {
            try await lab.drover("apply", "--plan", saved)
        }
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        for text in [plan.everything, result.everything, try String(contentsOfFile: saved, encoding: .utf8)] {
            #expect(!text.contains(secret))
        }
        let applied = Steps.applied(in: result.output)
        #expect(applied.isSubset(of: Steps.planned(in: plan.output)))
        #expect(applied.contains("pg3: make the first full backup"))
        #expect(try await lab.must(on: "pg3", "stat -c '%U %a' /etc/pgbackrest.conf") == "keeper 640\n")
        // A member does not have what only the repository needs.
        #expect(try await lab.shell(on: "pg1", "grep \(secret) /etc/pgbackrest.conf").status == 1)
        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await lab.backups(inventory).map(\.type) == ["full"])
    }

    @Test("two members keep the backups on a file system of both: whichever is the leader archives and makes them")
    func shared() async throws {
        let edits = [
            ("    pgbackrest:\n      hosts:\n        pg3:\n", ""), ("    pgbackrest_repo_user: keeper\n", ""),
            ("      global:\n", "      global:\n        - { option: repo1-path, value: /srv/backups }\n"),
        ]
        // The WAL archive of a repository that each has by itself ends where the other one becomes the leader.
        let apart = try await lab.drover("plan", "deploy-cluster", "-i", try inventory(replacing: edits))
        #expect(apart.status == 1)
        #expect(apart.errors.contains("the members would each have a repository of their own"), "\(apart.everything)")
        let inventory = try inventory(
            replacing: edits + [("    pgbackrest_conf:", "    pgbackrest_repo_shared: true\n    pgbackrest_conf:")])
        try await lab.share("\(lab.folder)/backups", at: "/srv/backups", on: ["pg1", "pg2"])
        try await lab.must(on: "pg1", "touch /srv/backups/seen")
        try await lab.must(on: "pg2", "rm /srv/backups/seen")

        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(inventory))
        let leader = try #require(try await lab.status(inventory).leader)
        let other = leader == "pg1" ? "pg2" : "pg1"
        let switchover = try await lab.drover("apply", "switchover", "--to", other, "-i", inventory, "--yes")
        #expect(switchover.status == 0, "\(switchover.everything)")
        // Both have the timers.
        for host in [leader, other] { try await lab.must(on: host, "systemctl start pgbackrest-incr.service") }
        #expect(try await lab.backups(inventory).map(\.type) == ["full", "incr"])
        // The old leader comes back as a replica in its own time.
        try await lab.eventually("all is well", inventory: inventory) {
            $0.leader == other && $0.findings.isEmpty
        }
        expectNothingChanged(try await lab.apply(inventory))
    }
}
