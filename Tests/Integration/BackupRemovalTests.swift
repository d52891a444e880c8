import Testing

/// The backups of a cluster that is removed.
@Suite("Removal of a cluster with backups", .lab(from: .pair))
struct BackupRemovalTests {
    private var lab: TestLab { TestLab.current }
    private let repository = "/var/lib/pgbackrest-keeper"

    private func words(_ options: [String]) throws -> [String] {
        let unprotected = try lab.inventory(replacing: [
            ("    patroni_cluster_name: lab\n", "    patroni_cluster_name: lab\n    cluster_protected: false\n")
        ])
        return ["remove-cluster", "-i", unprotected] + options
    }

    private func remove(_ options: String...) async throws -> Command {
        try await Command.run(lab.command(["apply"] + words(["--even-if-in-use"] + options)))
    }

    @Test("remove-cluster deletes backups only with words of their own, and only those that it can read")
    func refusals() async throws {
        for type in ["diff", "incr"] {
            let backup = try await lab.drover("backup", "now", "--type", type, "-i", lab.inventory)
            try #require(backup.status == 0, "\(backup.everything)")
        }
        let identity = try await lab.confirmation()
        let system = identity.dropFirst("lab@".count)
        let before = try await lab.backups().map(\.label)
        let both = try await remove("--with-backups", "--confirm", identity)
        #expect(both.status == 9, "\(both.everything)")
        #expect(
            both.errors.contains("if 'lab+backups' is to go, write --confirm lab+backups@\(system)"), "\(both.errors)")
        #expect(
            both.output.contains("delete the archive and 3 backups of lab for ever, the oldest of them "),
            "\(both.output)")
        #expect(try await lab.backups().map(\.label) == before)
        try await lab.must(on: "pg3", "chmod 0 \(repository)/backup/lab/backup.info*")
        let mute = try await remove("--with-backups", "--confirm", "lab+backups@\(system)")
        #expect(mute.status == 9, "\(mute.everything)")
        #expect(mute.errors.contains("the repository of the backups does not answer"), "\(mute.errors)")
    }

    @Test("remove-cluster keeps the backups under another name; with --with-backups it leaves nothing of either")
    func removal() async throws {
        let identity = try await lab.confirmation()
        let system = identity.dropFirst("lab@".count)
        for play in ["Set the backups aside", "Forget the cluster in etcd"] {
            try await lab.kill(["apply"] + words(["--even-if-in-use", "--confirm", identity]), at: play)
        }
        let gone = try await remove("--confirm", identity, "--wait")
        #expect(gone.status == 0, "\(gone.everything)")
        let aside = try await lab.must(on: "pg3", "ls \(repository)/backup").trimmed
        #expect(aside.hasPrefix("lab.removed-20"))
        #expect(try await lab.must(on: "pg3", "ls \(repository)/archive").trimmed == aside)
        expectNothingChanged(try await remove("--confirm", identity))
        #expect(try await lab.must(on: "pg3", "ls \(repository)/backup").trimmed == aside)
        // pgBackRest knows them by that name, and reads them.
        let verified = "cd /; runuser -u keeper -- pgbackrest --stanza=\(aside)"
        #expect(try await lab.must(on: "pg3", "\(verified) info").contains("full backup: "))
        let inTheWay = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory)
        #expect(inTheWay.status == 0, "\(inTheWay.everything)")

        let plays = try await lab.applyKilledAtEachPlay(
            words(["--with-backups", "--confirm", "lab+backups@\(system)"]))
        #expect(plays == ["Delete the backups", "Take the files away"])
        let left =
            "ls \(repository)/backup \(repository)/archive /etc/pgbackrest.conf /tmp/pgbackrest | grep -F -e lab -e conf"
        #expect(try await lab.shell(on: "pg3", left).output == "")
        expectNothingChanged(try await remove("--with-backups", "--confirm", "lab+backups@\(system)"))
        let anew = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory)
        #expect(anew.status == 0, "\(anew.everything)")
    }
}
