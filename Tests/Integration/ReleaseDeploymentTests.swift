import Foundation
import Testing

/// What postgresql_cluster and autobase ship, deployed with other addresses and passwords and nothing else. Only what hosts of
/// a lab lack is overridden: each major version of PostgreSQL, more than 20,000 open files, and room for 8 GB of WAL.
@Suite("Files of postgresql_cluster and autobase")
struct ReleaseDeploymentTests {
    private var lab: TestLab { TestLab.current }

    @Test(
        "lint clean, deploy, and change nothing the second time", .lab(of: 3, isPrepared: true),
        arguments: ["1.6.1", "1.9.0", "2.1.0", "2.6.0"])
    func deploys(release: String) async throws {
        // Passwords that are made are kept beside the inventory.
        let folder = "\(lab.folder)/release"
        try FileManager.default.copyItem(
            atPath: "\(Drover.checkout)/Tests/PostgresClusterTests/Releases/\(release)", toPath: folder)
        let inventory = "\(folder)/inventory"
        try String(contentsOfFile: inventory, encoding: .utf8)
            .replacing("/root/.ssh/id_ed25519", with: "\(lab.folder)/id_ed25519")
            .write(toFile: inventory, atomically: true, encoding: .utf8)
        let files = ["main", "system", "common"].map { "\(folder)/\($0).yml" }
            .filter(FileManager.default.fileExists)
        let variables = files.flatMap { ["-e", "@\($0)"] }
        let lint = try await Command.run([Drover.program, "inventory", "--lint", "-i", inventory] + variables)
        #expect(lint.status == 0, "\(lint.everything)")

        let apply =
            lab.inside(Drover.program) + ["apply", "deploy-cluster", "--yes", "-i", inventory] + variables + [
                "-e", "postgresql_version=15", "-e", "pgbouncer_max_client_conn=10000", "--skip-preflight", "disk",
                "--private-key", "\(lab.folder)/id_ed25519", "--known-hosts", "\(lab.folder)/known_hosts",
            ]
        if release == "2.6.0" { try await offerPackages(["postgresql-server-dev-15", "postgresql-15-dbgsym"]) }
        let first = try await Command.run(apply)
        try #require(first.status == 0, "\(first.everything)")
        expectNothingChanged(try await Command.run(apply))
        let answer = try await lab.must(
            on: "pg1",
            "cd /; runuser -u postgres -- psql -XAtqc 'SELECT count(*) FROM pg_stat_replication' -p 5432")
        #expect(answer == "2\n")
    }

    /// Lets the hosts have a repository with empty packages of these names, which the lab's own has not.
    private func offerPackages(_ names: [String]) async throws {
        for host in ["pg1", "pg2", "pg3"] {
            try await lab.must(
                on: host,
                """
                set -e; mkdir -p /srv/offer/deb/DEBIAN; cd /srv/offer
                for name in \(names.joined(separator: " ")); do
                    printf '%s\\n' "Package: $name" 'Version: 1' 'Architecture: all' \\
                        'Maintainer: nobody <nobody@example.org>' 'Description: empty' >deb/DEBIAN/control
                    dpkg-deb --build deb "$name.deb" >/dev/null
                    dpkg-deb --field "$name.deb"
                    printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' "$name.deb" "$(stat -c %s "$name.deb")" \\
                        "$(sha256sum "$name.deb" | cut -d ' ' -f 1)"
                done >Packages
                echo 'deb [trusted=yes] file:/srv/offer ./' >/etc/apt/sources.list.d/offer.list
                apt-get -q update >/dev/null
                """)
        }
    }
}
