import Foundation
import Testing

/// The life of a cluster of two members that keep their backups in an S3-compatible store. The tests stand in the order of
/// that life.
@Suite("backups in S3", .serialized, .lab(of: 3, isPrepared: true))
struct S3Tests {
    private var lab: TestLab { TestLab.current }
    private var store: ObjectStore { ObjectStore(lab: lab, host: "pg3", address: "10.70.0.13") }
    private var passphrase: String { lab.password(of: "passphrase") }
    private var secrets: [String] { [store.key, store.secret, passphrase] }

    /// - Parameters:
    ///   - bucket: in which the backups are.
    ///   - endpoint: where the store is; there unless told otherwise.
    private func inventory(
        bucket: String = ObjectStore.bucket, endpoint: String? = nil, key: String? = nil
    ) throws -> String {
        let options = [
            ("bucket", bucket), ("endpoint", endpoint ?? store.endpoint), ("region", "eu-1"), ("uri-style", "path"),
            ("key", key ?? store.key), ("key-secret", store.secret),
        ]
        return try lab.inventory(
            named: "s3-\(bucket)\(endpoint == nil ? "" : "-elsewhere")\(key == nil ? "" : "-other-key")",
            with: ["pgbackrest_install: true", "pgbackrest_repo_type: s3", "cluster_protected: false"]
                + ["pgbackrest_conf:", "  global:"]
                + options.map { "    - { option: repo1-s3-\($0.0), value: '\($0.1)' }" } + [
                    "    - { option: repo1-storage-ca-file, value: \(ObjectStore.authority) }",
                    "    - { option: repo1-cipher-pass, value: \(passphrase) }",
                ],
            replacing: [
                ("    cluster_vip: 10.70.0.100\n", ""),
                ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ],
            groups: [("etcd_cluster", ["pg1"]), ("master", ["pg1"]), ("replica", ["pg2"])])
    }

    private func sql(_ statement: String, on host: String = "pg1") async throws -> String {
        try await lab.must(
            on: host, "cd /; runuser -u postgres -- psql -XAtq -v ON_ERROR_STOP=1 -c \"\(statement)\"")
    }

    private struct List: Decodable {
        let backups: [Backup]
        struct Backup: Decodable { let label, type: String }
    }

    private func backups() async throws -> [List.Backup] {
        let list = try await lab.drover("backup", "list", "-i", try inventory(), "--json")
        try #require(list.status == 0, "\(list.everything)")
        return try JSONDecoder().decode(List.self, from: Data(list.output.utf8)).backups
    }

    private func expectNoSecret(in result: Command, sourceLocation: SourceLocation = #_sourceLocation) {
        for secret in secrets { #expect(!result.everything.contains(secret), sourceLocation: sourceLocation) }
    }

    @Test("a store that cannot be used is told before anything is touched: exit code 9")
    func unusable() async throws {
        try await store.start()
        for host in ["pg1", "pg2"] { try await store.introduce(host) }
        let nobody = "10.70.0.13:9444"
        for (inventory, complaint, remedy) in [
            (
                try inventory(endpoint: nobody),
                "the bucket 'backups' at \(nobody): unable to connect to '\(nobody)': [111] Connection refused",
                "correct repo1-s3-endpoint"
            ),
            (
                try inventory(bucket: "nowhere"),
                "the bucket 'nowhere' at \(store.endpoint): HTTP request failed with 404 (NOT FOUND): NoSuchBucket, ",
                "create the bucket, or correct repo1-s3-bucket"
            ),
            (
                try inventory(key: "stranger"),
                "failed with 403 (Forbidden): InvalidAccessKeyId, No such key.", "correct repo1-s3-key"
            ),
        ] {
            let result = try await lab.apply(inventory)
            #expect(result.status == 9, "\(result.everything)")
            #expect(
                result.errors.contains("refused: pg1, pg2 cannot use the store of the backups, "), "\(result.errors)")
            #expect(result.errors.contains(complaint), "\(result.errors)")
            #expect(result.errors.contains(remedy), "\(result.errors)")
            expectNoSecret(in: result)
        }
        let touched =
            "ls -d /etc/patroni/config.yml /etc/default/etcd.initial /var/lib/postgresql/15; grep s3 /etc/pgbackrest.conf"
        #expect(try await lab.shell(on: "pg1", touched).output == "")
    }

    @Test("a deployment ends with a full backup there; no key is seen, and the store has nothing that can be read")
    func deploy() async throws {
        let inventory = try inventory()
        let (result, found) = try await SecretWatch.watching(for: secrets) { try await lab.apply(inventory) }
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        expectNoSecret(in: result)
        #expect(Steps.applied(in: result.output).contains("pg1: make the first full backup"))
        expectNothingChanged(try await lab.apply(inventory))
        #expect(try await backups().map(\.type) == ["full"])
        #expect(try await store.contents().contains("<Key>pgbackrest/backup/lab/backup.info</Key>"))
        let status = try await lab.drover("status", "-i", inventory)
        #expect(status.output.contains("\nhealthy  "), "\(status.everything)")
        #expect(status.output.contains("Nothing to complain about."), "\(status.everything)")
        for host in ["pg1", "pg2"] {
            #expect(try await lab.must(on: host, "stat -c '%U %a' /etc/pgbackrest.conf") == "postgres 640\n")
        }
    }

    @Test("backups are made, restored beside the cluster, and given to a replica that has lost its data")
    func use() async throws {
        let inventory = try inventory()
        _ = try await sql("CREATE TABLE notes (text text)")
        _ = try await sql("INSERT INTO notes VALUES ('one'), ('two')")
        let now = try await lab.drover("backup", "now", "--type", "diff", "-i", inventory)
        #expect(now.status == 0, "\(now.everything)")
        let backups = try await backups()
        #expect(backups.map(\.type) == ["full", "diff"])
        let newest = try #require(backups.last).label
        let trial = try await lab.drover("backup", "verify", "-i", inventory)
        #expect(trial.status == 0, "\(trial.everything)")
        #expect(trial.output.contains("✓ pg2: restore the backup \(newest), start it, check it, and remove it  "))
        for result in [now, trial] { expectNoSecret(in: result) }

        try await lab.must(on: "pg2", "systemctl stop patroni; rm -rf /var/lib/postgresql/15/main")
        let mended = try await lab.apply(inventory)
        #expect(mended.status == 0, "\(mended.everything)")
        try await lab.must(on: "pg2", "journalctl -u patroni | grep -q 'replica has been created using pgbackrest'")
        #expect(try await sql("SELECT count(*), pg_is_in_recovery() FROM notes", on: "pg2") == "2|t\n")
    }

    @Test("a key that the store does not know gets to no member, and the archive goes on")
    func otherKey() async throws {
        let result = try await lab.apply(try inventory(key: "stranger"))
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("InvalidAccessKeyId"), "\(result.errors)")
        expectNothingChanged(try await lab.apply(try inventory()))
    }

    @Test("the cluster goes back to a restore point with exactly the rows that there were")
    func pointInTime() async throws {
        let inventory = try inventory()
        let leader = try #require(try await lab.status(inventory).leader)
        _ = try await sql("SELECT pg_create_restore_point('before')", on: leader)
        _ = try await sql("INSERT INTO notes VALUES ('three'); DELETE FROM notes WHERE text = 'one'", on: leader)
        let result = try await lab.drover(
            "apply", "point-in-time-recovery", "-i", inventory, "--target-name", "before", "--promote", "--confirm",
            "lab@\(try await system())")
        try #require(result.status == 0, "\(result.everything)")
        expectNoSecret(in: result)
        for host in ["pg1", "pg2"] {
            #expect(try await sql("SELECT text FROM notes ORDER BY 1", on: host) == "one\ntwo\n", "\(host)")
        }
        #expect(try await backups().map(\.type) == ["full", "diff", "full"])
        let status = try await lab.status(inventory)
        #expect(Set(status.members.map(\.timeline)).count == 1)
        #expect(status.findings.isEmpty, "\(status.findings)")
        expectNothingChanged(try await lab.apply(inventory))
    }

    @Test("backups outlive their cluster, and keep another one from their name; told so, they go, and nothing is left")
    func removal() async throws {
        let inventory = try inventory()
        let system = try await system()
        func remove(_ options: String...) async throws -> Command {
            try await Command.run(
                lab.command(["apply", "remove-cluster", "-i", inventory, "--even-if-in-use"] + options))
        }
        let gone = try await remove("--confirm", "lab@\(system)")
        try #require(gone.status == 0, "\(gone.everything)")
        #expect(
            gone.output.contains("stay under this name, for a store renames nothing, so a new cluster of this name "),
            "\(gone.output)")
        let inTheWay = try await lab.apply(inventory)
        #expect(inTheWay.status == 9, "\(inTheWay.everything)")
        #expect(
            inTheWay.errors.contains(
                "has backups of another cluster under the name 'lab', of the database system \(system): there is no database "
            ), "\(inTheWay.errors)")
        for remedy in ["choose another name: pgbackrest_stanza", "apply remove-cluster --with-backups to "] {
            #expect(inTheWay.errors.contains(remedy), "\(inTheWay.errors)")
        }

        // The words for the cluster are none for its backups.
        let unconfirmed = try await remove("--with-backups", "--confirm", "lab@\(system)")
        #expect(unconfirmed.status == 9, "\(unconfirmed.everything)")
        #expect(try await store.contents().contains("/backup.info</Key>"))
        let deleted = try await remove("--with-backups", "--confirm", "lab+backups@\(system)")
        #expect(deleted.status == 0, "\(deleted.everything)")
        #expect(deleted.output.contains("✓ pg1: delete the archive and 3 backups of lab for ever"), "\(deleted.output)")
        #expect(!(try await store.contents().contains("<Key>")))
        expectNothingChanged(try await remove("--with-backups", "--confirm", "lab+backups@\(system)"))
        for result in [gone, inTheWay, deleted] { expectNoSecret(in: result) }
        let anew = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(anew.status == 0, "\(anew.everything)")
    }

    private func system() async throws -> String {
        try await sql("SELECT system_identifier FROM pg_control_system()").trimmed
    }
}
