import Foundation
import Testing

/// A cluster with TLS whose passwords nobody has given, and then one without TLS on the same hosts.
@Suite("TLS and passwords", .serialized, .lab(of: 2, isPrepared: true))
struct TLSTests {
    var lab: TestLab { TestLab.current }
    var inventory: String { "\(lab.folder)/tls.yml" }
    var secrets: String { "\(lab.folder)/secrets/safe" }
    var vault: [String] { ["--vault-password-file", "\(lab.folder)/vault-password"] }
    static let trust = "/etc/ssl/drover/ca.crt"

    /// - Parameter more: further variables.
    func writeInventory(_ more: String = "") throws {
        try "a vault password\n".write(toFile: vault[1], atomically: true, encoding: .utf8)
        try """
        all:
          vars:
            ansible_user: root
            ansible_ssh_private_key_file: \(lab.folder)/id_ed25519
            ansible_ssh_common_args: -o UserKnownHostsFile=\(lab.folder)/known_hosts
            patroni_cluster_name: safe
            cluster_vip: 10.70.0.100
            cluster_protected: false
            postgresql_users: [{ name: app, password: \(lab.password(of: "app")) }]
            postgresql_databases: [{ db: app, owner: app }]
            postgresql_parameters: [{ option: shared_buffers, value: 32MB }]
            haproxy_maxconn: 1000
            haproxy_maxconn_global: 2000
            pgbouncer_max_client_conn: 1000
            tls_names: [db.example.com]
        \(more)
          children:
            etcd_cluster: { hosts: { pg1: { ansible_host: 10.70.0.11 } } }
            balancers: { hosts: { pg1: , pg2: { ansible_host: 10.70.0.12 } } }
            master: { hosts: { pg1: } }
            replica: { hosts: { pg2: } }

        """.write(toFile: inventory, atomically: true, encoding: .utf8)
    }

    func drover(_ words: String...) async throws -> Command {
        try await Command.run(
            [Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words + ["-i", inventory]
                + vault)
    }

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    // MARK: Passwords

    @Test("without a vault password nothing is made up, and what to do is told before any contact")
    func noVault() async throws {
        try writeInventory()
        let result = try await lab.apply(inventory)
        #expect(result.status == 1, "\(result.everything)")
        for name in ["patroni_superuser_password", "patroni_replication_password", "pgbouncer_auth_password"] {
            #expect(result.errors.contains("the variable '\(name)' is missing; set it"), "\(result.errors)")
        }
        #expect(result.errors.contains("--vault-password-file FILE or --ask-vault-pass"), "\(result.errors)")
    }

    @Test("passwords are made up once, kept encrypted, and shown by nothing but 'secret view'; so is the authority")
    func deploy() async throws {
        let plan = try await drover("plan", "deploy-cluster")
        #expect(plan.status == 0, "\(plan.everything)")
        #expect(
            plan.output.contains(
                "patroni_superuser_password, patroni_replication_password, pgbouncer_auth_password, "
                    + "patroni_restapi_password will be made up"),
            "\(plan.output)")
        #expect(!isThere(secrets))
        let result = try await drover("apply", "deploy-cluster", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        for file in ["passwords.yml", "ca.key"] {
            let text = try String(contentsOfFile: "\(secrets)/\(file)", encoding: .utf8)
            #expect(text.hasPrefix("$ANSIBLE_VAULT;1.1;AES256\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: "\(secrets)/\(file)")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        let view = try await Command.run([Drover.program, "secret", "view", "\(secrets)/passwords.yml"] + vault)
        let passwords = view.output.linesOfOutput.compactMap { $0.split(separator: " ").last.map(String.init) }
        try #require(passwords.count == 4, "\(view.errors)")
        for password in passwords {
            #expect(
                password.count == 32 && !plan.everything.contains(password) && !result.everything.contains(password))
        }
        let planned = Steps.planned(in: plan.output)
        let applied = Steps.applied(in: result.output)
        #expect(applied.isSubset(of: planned), "\(applied.subtracting(planned))")
    }

    @Test("a cluster that runs is not given other passwords because the file is gone: exit code 9")
    func lostPasswords() async throws {
        let files = FileManager.default
        try files.moveItem(atPath: secrets + "/passwords.yml", toPath: secrets + "/kept")
        let result = try await drover("plan", "deploy-cluster")
        try files.moveItem(atPath: secrets + "/kept", toPath: secrets + "/passwords.yml")
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("nobody knows its passwords"), "\(result.errors)")
    }

    // MARK: What is encrypted

    @Test(
        "clients speak TLS through the address, to the pooler and to PostgreSQL, or not at all",
        arguments: ["10.70.0.100:5000", "10.70.0.100:5001", "10.70.0.12:6432", "10.70.0.12:5432"])
    func clients(server: String) async throws {
        let parts = server.split(separator: ":")
        func psql(_ options: String) async throws -> Command {
            try await lab.shell(
                on: "pg1",
                "PGPASSWORD=\(lab.password(of: "app")) psql 'host=\(parts[0]) port=\(parts[1]) user=app dbname=app \(options)' "
                    + "-XAtqc 'SELECT 1'")
        }
        #expect(try await psql("sslmode=verify-full sslrootcert=\(Self.trust)").output == "1\n")
        let plain = try await psql("sslmode=disable")
        #expect(plain.status == 2, "\(plain.everything)")
    }

    @Test("clients may use the names of tls_names")
    func names() async throws {
        let result = try await lab.must(
            on: "pg1",
            """
            PGPASSWORD=\(lab.password(of: "app")) psql -XAtqc 'SELECT 1' 'host=db.example.com hostaddr=10.70.0.100 \
            port=5000 user=app dbname=app sslmode=verify-full sslrootcert=\(Self.trust)'
            """)
        #expect(result == "1\n")
    }

    @Test("replication, etcd and the REST API are encrypted, and ask who comes")
    func daemons() async throws {
        let replication = try await lab.must(
            on: "pg1",
            "cd / && runuser -u postgres -- psql -XAtqc 'SELECT ssl FROM pg_stat_replication JOIN pg_stat_ssl USING (pid)'"
        )
        #expect(replication == "t\n")
        let ask = "curl --silent --max-time 5 --cacert \(Self.trust)"
        let etcd = "https://10.70.0.11:2379/health"
        for (question, succeeds) in [
            ("\(ask) \(etcd)", false), ("curl --silent --max-time 5 http://10.70.0.11:2379/health", false),
            ("\(ask) --cert /etc/ssl/drover/etcd.crt --key /etc/ssl/drover/etcd.key \(etcd)", true),
        ] {
            let result = try await lab.shell(on: "pg1", question)
            #expect((result.status == 0) == succeeds, "\(question): \(result.everything)")
        }
        let change = "--output /dev/null --write-out '%{http_code}' --request PATCH --data '{\"no_such_key\":null}'"
        let answers = try await lab.must(
            on: "pg1",
            """
            \(ask) \(change) https://10.70.0.11:8008/config; echo
            \(ask) \(change) --config /etc/patroni/api.curl https://10.70.0.11:8008/config; echo
            \(ask) --output /dev/null --write-out '%{http_code}' https://10.70.0.11:8008/primary; echo
            patronictl -c /etc/patroni/config.yml reload safe --force >/dev/null && echo reloaded
            stat -c '%a %U' /etc/patroni/api.curl /etc/ssl/drover/etcd.key /etc/ssl/drover/postgres.key
            """)
        #expect(answers == "401\n200\n200\nreloaded\n600 root\n600 etcd\n600 postgres\n")
    }
}
