import Foundation
import Testing

/// Backups of a cluster at work, which a host of their own keeps.
@Suite("Backups", .lab(from: .pair))
struct BackupTests {
    private var lab: TestLab { TestLab.current }

    @Test("a timer and a person make backups; one is restored beside the cluster, and nothing is left of that")
    func backup() async throws {
        let replica = try await lab.status().leader == "pg1" ? "pg2" : "pg1"
        try await lab.must(on: "pg3", "systemctl start pgbackrest-diff.service")
        let now = try await lab.drover("backup", "now", "-i", lab.inventory)
        #expect(now.status == 0, "\(now.everything)")
        let backups = try await lab.backups()
        #expect(backups.map(\.type) == ["full", "diff", "incr"])
        let newest = try #require(backups.last).label

        let start = try await lab.must(on: replica, "systemctl show -p ExecMainStartTimestampMonotonic patroni")
        let trial = try await lab.drover("backup", "verify", "-i", lab.inventory)
        #expect(trial.status == 0, "\(trial.everything)")
        #expect(
            trial.output.contains("✓ \(replica): restore the backup \(newest), start it, check it, and remove it  "))
        #expect(try await lab.must(on: replica, "ls /var/lib/postgresql/15") == "main\n")
        #expect(try await lab.must(on: replica, "systemctl show -p ExecMainStartTimestampMonotonic patroni") == start)
        let timers = try await lab.must(on: "pg3", "systemctl list-timers --no-legend --no-pager 'pgbackrest-*'")
        #expect(timers.linesOfOutput.count == 3)
    }

    @Test("a member's key allows the remote protocol from the member's address, and nothing else")
    func keys() async throws {
        let before = try await lab.backups().map(\.label)
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
            """)
        #expect(stolen.everything.contains("Permission denied"), "\(stolen.everything)")
        #expect(try await lab.backups().map(\.label) == before)
    }

    private static let clones = "journalctl -u patroni | grep -c 'replica has been created using pgbackrest'"

    @Test("a replica that lost its data gets it back from the backup, and streams")
    func replica() async throws {
        let leader = try #require(try await lab.status().leader)
        let replica = leader == "pg1" ? "pg2" : "pg1"
        try await lab.superuserSQL("CREATE TABLE notes AS SELECT 'kept' AS text", on: leader)
        try await lab.must(on: replica, "systemctl stop patroni; rm -rf /var/lib/postgresql/15/main")
        let result = try await lab.apply()
        #expect(result.status == 0, "\(result.everything)")
        #expect(try await lab.must(on: replica, Self.clones) == "1\n")
        #expect(try await lab.superuserSQL("SELECT text, pg_is_in_recovery() FROM notes", on: replica) == "kept|t")
        expectNothingChanged(try await lab.apply())
    }

    @Test("the repository removes a member that goes; a member that comes is cloned from the backup")
    func comeAndGo() async throws {
        func change(_ playbook: String) async throws -> Command {
            try await lab.drover("apply", playbook, "--node", "pg2", "-i", lab.inventory, "--yes")
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
        #expect(try await lab.must(on: "pg2", Self.clones) == "1\n")
        expectNothingChanged(try await change("add-pgnode"))
        expectNothingChanged(try await lab.apply())
    }

    @Test("status reports whether the leader archives its WAL")
    func status() async throws {
        let healthy = try await lab.drover("status", "-i", lab.inventory)
        #expect(healthy.output.contains("\nhealthy  "), "\(healthy.everything)")
        #expect(healthy.output.contains("Nothing to complain about."), "\(healthy.everything)")
        let leader = try #require(try await lab.status().leader)
        try await lab.must(on: "pg3", "cd /; runuser -u keeper -- pgbackrest --stanza=lab stop")
        try await lab.superuserSQL("SELECT pg_switch_wal() FROM pg_create_restore_point('x')", on: leader)
        let failed = "SELECT last_failed_time > coalesce(last_archived_time, '-infinity') FROM pg_stat_archiver"
        try await lab.must(
            on: leader,
            """
            cd /
            until runuser -u postgres -- psql -XAtqc "\(failed)" | grep -q t; do sleep 0.1; done
            """)
        let sick = try await lab.drover("status", "-i", lab.inventory)
        #expect(sick.output.contains("critical  \(leader) fails to archive 0000000"), "\(sick.everything)")
    }

    @Test("verify reports a backup that cannot be restored, and leaves nothing of the attempt")
    func damage() async throws {
        // What is wrong with one file would be read again and again, for half a minute.
        try await lab.must(
            on: "pg3", "for file in /var/lib/pgbackrest-keeper/backup/lab/*/backup.manifest*; do : >$file; done")
        let trial = try await lab.drover("backup", "verify", "--on", "pg1", "-i", lab.inventory)
        #expect(trial.status == 3, "\(trial.everything)")
        #expect(try await lab.must(on: "pg1", "ls /var/lib/postgresql/15") == "main\n")
        let nobody = try await lab.drover("backup", "verify", "--on", "pg3", "-i", lab.inventory)
        #expect(nobody.status == 1)
        #expect(nobody.errors.contains("'pg3' has no PostgreSQL to start a backup with; name one of pg1, pg2"))
    }
}
