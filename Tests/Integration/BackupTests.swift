import Foundation
import Testing

/// The life of a cluster of two members whose backups a third host keeps. The tests stand in the order of that life.
@Suite("backups", .serialized, .lab(of: 3, isPrepared: true))
struct BackupTests {
    private var lab: TestLab { TestLab.current }

    /// The lab's inventory with two members, the repository on the third host, and no balancers.
    private func inventory() throws -> String {
        try lab.inventory(replacing: [
            ("    cluster_vip: 10.70.0.100\n", ""),
            ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ("    balancers:\n      hosts: *hosts\n", "    pgbackrest:\n      hosts:\n        pg3:\n"),
            ("            pg2:\n            pg3:\n", "            pg2:\n"),
            (
                "    patroni_cluster_name: lab\n",
                """
                    patroni_cluster_name: lab
                    pgbackrest_install: true
                    pgbackrest_repo_user: keeper
                    pgbackrest_conf:
                      global:
                        - { option: repo1-cipher-pass, value: lab-passphrase }

                """
            ),
        ])
    }

    private func sql(_ statement: String, on host: String = "pg1") async throws -> String {
        try await lab.must(
            on: host, "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 -c \"\(statement)\"")
    }

    private func backups() async throws -> [Backup] {
        let list = try await lab.drover("backup", "list", "-i", try inventory(), "--json")
        try #require(list.status == 0, "\(list.everything)")
        return try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).backups
    }

    private struct List: Decodable { let backups: [Backup] }

    private struct Backup: Decodable {
        let label: String
        let type: String
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
        // A member knows nothing of what only the repository needs.
        #expect(try await lab.shell(on: "pg1", "grep \(secret) /etc/pgbackrest.conf").status == 1)
        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await backups().map(\.type) == ["full"])
    }

    @Test("a timer and a person make backups; one is restored beside the cluster, and nothing is left of that")
    func backup() async throws {
        let inventory = try inventory()
        _ = try await sql("CREATE TABLE notes AS SELECT 'kept' AS text")
        try await lab.must(on: "pg3", "systemctl start pgbackrest-diff.service")
        let now = try await lab.drover("backup", "now", "-i", inventory)
        #expect(now.status == 0, "\(now.everything)")
        let backups = try await backups()
        #expect(backups.map(\.type) == ["full", "diff", "incr"])
        let newest = try #require(backups.last).label

        let start = try await lab.must(on: "pg2", "systemctl show -p ExecMainStartTimestampMonotonic patroni")
        let trial = try await lab.drover("backup", "verify", "-i", inventory)
        #expect(trial.status == 0, "\(trial.everything)")
        #expect(trial.output.contains("✓ pg2: restore the backup \(newest), start it, check it, and remove it  "))
        #expect(try await lab.must(on: "pg2", "ls /var/lib/postgresql/15") == "main\n")
        #expect(try await lab.must(on: "pg2", "systemctl show -p ExecMainStartTimestampMonotonic patroni") == start)
        let timers = try await lab.must(on: "pg3", "systemctl list-timers --no-legend --no-pager 'pgbackrest-*'")
        #expect(timers.linesOfOutput.count == 3)
    }

    @Test("a member's key is good for the remote protocol from its own address, and for nothing else")
    func keys() async throws {
        let before = try await backups().map(\.label)
        func login(from host: String, as user: String, _ target: String, _ command: String) async throws -> Command {
            try await lab.shell(on: host, "cd /; runuser -u \(user) -- ssh \(target) '\(command)'")
        }
        let (member, repository) = ("10.70.0.11", "10.70.0.13")
        for command in [
            "pgbackrest --stanza=lab expire", "pgbackrest --stanza=lab --force stanza-delete",
            "pgbackrest --stanza=lab stop", "pgbackrest --stanza=lab --remote-type=repo stanza-delete:remote",
            "pgbackrest --stanza=lab --remote-type=repo --repo1-path=/home archive-push:remote",
            "pgbackrest --stanza=lab --remote-type=repo --config=/tmp/x archive-push:remote",
            "rm -rf /var/lib/pgbackrest-keeper", "sh", "",
        ] {
            let result = try await login(from: "pg1", as: "postgres", "keeper@\(repository)", command)
            #expect(result.status == 1, "\(command): \(result.everything)")
            #expect(result.everything.contains("refused: this key is only for"), "\(command): \(result.everything)")
        }
        let back = try await login(from: "pg3", as: "keeper", "postgres@\(member)", "id")
        #expect(back.everything.contains("refused: this key is only for"), "\(back.everything)")
        let key = try await lab.must(on: "pg1", "cat /etc/pgbackrest/id_ed25519")
        let stolen = try await lab.shell(
            on: "pg2",
            """
            umask 077; cat >/root/stolen <<'END_OF_KEY'
            \(key)
            END_OF_KEY
            ssh -F /dev/null -i /root/stolen -o BatchMode=yes -o UserKnownHostsFile=/etc/pgbackrest/known_hosts \
                keeper@\(repository) 'pgbackrest --stanza=lab expire'
            rm /root/stolen
            """)
        #expect(stolen.everything.contains("Permission denied"), "\(stolen.everything)")
        #expect(try await backups().map(\.label) == before)
    }

    @Test("a replica that lost its data gets it back from the backup, and streams")
    func replica() async throws {
        let inventory = try inventory()
        try await lab.must(on: "pg2", "systemctl stop patroni; rm -rf /var/lib/postgresql/15/main")
        let result = try await lab.apply(inventory)
        #expect(result.status == 0, "\(result.everything)")
        try await lab.must(on: "pg2", "journalctl -u patroni | grep -q 'replica has been created using pgbackrest'")
        #expect(try await sql("SELECT text, pg_is_in_recovery() FROM notes", on: "pg2") == "kept|t\n")
        expectNothingChanged(try await lab.apply(inventory))
    }

    @Test("a member that goes is forgotten by the repository; one that comes is cloned from the backup")
    func comeAndGo() async throws {
        let inventory = try inventory()
        func change(_ playbook: String) async throws -> Command {
            try await lab.drover("apply", playbook, "--node", "pg2", "-i", inventory, "--yes")
        }
        func known() async throws -> String {
            try await lab.must(
                on: "pg3",
                "grep -c '^pg[0-9]*-path' /etc/pgbackrest.conf; grep -c ssh-ed25519 /home/keeper/.ssh/authorized_keys")
        }
        #expect(try await known() == "2\n2\n")
        let going = try await change("remove-pgnode")
        #expect(going.status == 0, "\(going.everything)")
        #expect(try await known() == "1\n1\n")
        expectNothingChanged(try await change("remove-pgnode"))

        let coming = try await change("add-pgnode")
        #expect(coming.status == 0, "\(coming.everything)")
        #expect(try await known() == "2\n2\n")
        let clones = "journalctl -u patroni | grep -c 'replica has been created using pgbackrest'"
        #expect(try await lab.must(on: "pg2", clones) == "2\n")
        expectNothingChanged(try await change("add-pgnode"))
        expectNothingChanged(try await lab.apply(inventory))
    }

    @Test("status tells of the archive: healthy, and not")
    func status() async throws {
        let inventory = try inventory()
        let healthy = try await lab.drover("status", "-i", inventory)
        #expect(healthy.output.contains("\nhealthy  "), "\(healthy.everything)")
        #expect(healthy.output.contains("Nothing to complain about."), "\(healthy.everything)")
        try await lab.must(on: "pg3", "cd /; runuser -u keeper -- pgbackrest --stanza=lab stop")
        _ = try await sql("SELECT pg_switch_wal() FROM pg_create_restore_point('x')")
        let failed = "SELECT last_failed_time > last_archived_time FROM pg_stat_archiver"
        try await lab.must(
            on: "pg1",
            """
            cd /
            until runuser -u postgres -- psql -XAtqc '\(failed)' | grep -q t; do sleep 0.1; done
            """)
        let sick = try await lab.drover("status", "-i", inventory)
        #expect(sick.output.contains("critical  pg1 fails to archive 0000000"), "\(sick.everything)")
        try await lab.must(on: "pg3", "cd /; runuser -u keeper -- pgbackrest --stanza=lab start")
    }

    @Test("a backup that cannot be restored is told, and nothing is left of the attempt")
    func damage() async throws {
        // What is wrong with one file would be read again and again, for half a minute.
        try await lab.must(
            on: "pg3", "for file in /var/lib/pgbackrest-keeper/backup/lab/*/backup.manifest*; do : >$file; done")
        let trial = try await lab.drover("backup", "verify", "--on", "pg1", "-i", try inventory())
        #expect(trial.status == 3, "\(trial.everything)")
        #expect(try await lab.must(on: "pg1", "ls /var/lib/postgresql/15") == "main\n")
        let nobody = try await lab.drover("backup", "verify", "--on", "pg3", "-i", try inventory())
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("'pg3' has no PostgreSQL to start a backup with; name one of pg1, pg2"))
    }

    // MARK: The end

    private let repository = "/var/lib/pgbackrest-keeper"

    @Test("who removes the cluster keeps its backups; who means them too says so, and then nothing is left of either")
    func removal() async throws {
        let text = try String(contentsOfFile: try inventory(), encoding: .utf8)
        let inventory = "\(lab.folder)/unprotected.yml"
        try text.replacing(
            "    patroni_cluster_name: lab\n", with: "    patroni_cluster_name: lab\n    cluster_protected: false\n"
        )
        .write(toFile: inventory, atomically: true, encoding: .utf8)
        let system = try await sql("SELECT system_identifier FROM pg_control_system()").prefix { $0.isNumber }
        func remove(_ options: String...) async throws -> Command {
            try await Command.run(
                lab.command(["apply", "remove-cluster", "-i", inventory, "--even-if-in-use"] + options))
        }
        // The words for the cluster are none for its backups.
        let both = try await remove("--with-backups", "--confirm", "lab@\(system)")
        #expect(both.status == 9, "\(both.everything)")
        #expect(
            both.errors.contains("if 'lab+backups' is to go, write --confirm lab+backups@\(system)"), "\(both.errors)")
        #expect(
            both.output.contains("delete the archive and 3 backups of lab for ever, the oldest of them "),
            "\(both.output)")
        try await lab.must(on: "pg3", "chmod 0 \(repository)/backup/lab/backup.info*")
        let mute = try await remove("--with-backups", "--confirm", "lab+backups@\(system)")
        #expect(mute.status == 9, "\(mute.everything)")
        #expect(mute.errors.contains("the repository of the backups does not answer"), "\(mute.errors)")
        try await lab.must(on: "pg3", "chmod 640 \(repository)/backup/lab/backup.info*")

        let removal = ["remove-cluster", "-i", inventory, "--even-if-in-use", "--confirm", "lab@\(system)"]
        for play in ["Set the backups aside", "Forget the cluster in etcd"] {
            try await lab.kill(["apply"] + removal, at: play)
        }
        let gone = try await remove("--confirm", "lab@\(system)", "--wait")
        #expect(gone.status == 0, "\(gone.everything)")
        let aside = try await lab.must(on: "pg3", "ls \(repository)/backup").trimmed
        #expect(aside.hasPrefix("lab.removed-20"))
        #expect(try await lab.must(on: "pg3", "ls \(repository)/archive").trimmed == aside)
        expectNothingChanged(try await remove("--confirm", "lab@\(system)"))
        #expect(try await lab.must(on: "pg3", "ls \(repository)/backup").trimmed == aside)
        // pgBackRest knows them by that name, and reads them.
        let verified = "cd /; runuser -u keeper -- pgbackrest --stanza=\(aside)"
        #expect(try await lab.must(on: "pg3", "\(verified) info").contains("full backup: "))
        let inTheWay = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(inTheWay.status == 0, "\(inTheWay.everything)")

        let plays = try await lab.applyKilledAtEachPlay([
            "remove-cluster", "-i", inventory, "--with-backups", "--confirm", "lab+backups@\(system)",
        ])
        #expect(plays == ["Delete the backups", "Take the files away"])
        let left =
            "ls \(repository)/backup \(repository)/archive /etc/pgbackrest.conf /tmp/pgbackrest | grep -F -e lab -e conf"
        #expect(try await lab.shell(on: "pg3", left).output == "")
        expectNothingChanged(try await remove("--with-backups", "--confirm", "lab+backups@\(system)"))
        let anew = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(anew.status == 0, "\(anew.everything)")
    }

    // MARK: Another one, that keeps them itself

    /// Gives both members one file system.
    private func share(_ folder: String, at path: String) async throws {
        try await lab.share(folder, at: path, on: ["pg1", "pg2"])
        try await lab.must(on: "pg1", "touch \(path)/seen")
        try await lab.must(on: "pg2", "rm \(path)/seen")
    }

    @Test("two members that keep them on a file system of both: who comes to lead archives, and makes the backups")
    func shared() async throws {
        let text = try String(contentsOfFile: try inventory(), encoding: .utf8)
            .replacing("    pgbackrest:\n      hosts:\n        pg3:\n", with: "")
            .replacing("    pgbackrest_repo_user: keeper\n", with: "")
            .replacing(
                "      global:\n", with: "      global:\n        - { option: repo1-path, value: /srv/backups }\n")
        let inventory = "\(lab.folder)/shared.yml"
        try text.write(toFile: inventory, atomically: true, encoding: .utf8)
        // The archive of a repository that each has by itself ends where the other one takes over.
        let apart = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(apart.status == 1)
        #expect(apart.errors.contains("the members would each have a repository of their own"), "\(apart.everything)")
        try text.replacing("    pgbackrest_conf:", with: "    pgbackrest_repo_shared: true\n    pgbackrest_conf:")
            .write(toFile: inventory, atomically: true, encoding: .utf8)
        try await share("\(lab.folder)/backups", at: "/srv/backups")

        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(inventory))
        let leader = try #require(try await lab.status(inventory).leader)
        let other = leader == "pg1" ? "pg2" : "pg1"
        let handover = try await lab.drover("apply", "switchover", "--to", other, "-i", inventory, "--yes")
        #expect(handover.status == 0, "\(handover.everything)")
        // Both have the timers.
        for host in [leader, other] { try await lab.must(on: host, "systemctl start pgbackrest-incr.service") }
        let list = try await lab.drover("backup", "list", "-i", inventory, "--json")
        let backups = try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).backups
        #expect(backups.map(\.type) == ["full", "incr"])
        // The old leader comes back as a replica in its own time.
        try await lab.eventually("all is well", inventory: inventory) {
            $0.leader == other && $0.findings.isEmpty
        }
        expectNothingChanged(try await lab.apply(inventory))
    }
}
