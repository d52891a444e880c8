import Foundation
import Testing

/// A cluster with TLS whose passwords nobody has given, and then one without TLS on the same hosts.
@Suite("TLS and passwords", .serialized, .lab(of: 2, isPrepared: true))
struct TLSTests {
    private var lab: TestLab { TestLab.current }
    private var inventory: String { "\(lab.folder)/tls.yml" }
    private var secrets: String { "\(lab.folder)/secrets/safe" }
    private var vault: [String] { ["--vault-password-file", "\(lab.folder)/vault-password"] }
    private static let trust = "/etc/ssl/drover/ca.crt"

    /// - Parameter more: further variables.
    private func writeInventory(_ more: String = "") throws {
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

    private func drover(_ words: String...) async throws -> Command {
        try await Command.run(
            [Drover.program, "lab", "exec", "--name", lab.name, "--", Drover.program] + words + ["-i", inventory]
                + vault)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

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
                "patroni_superuser_password, patroni_replication_password, pgbouncer_auth_password will be made up"),
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
        try #require(passwords.count == 3, "\(view.errors)")
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

    // MARK: Renewal

    @Test(
        "a certificate that ends in five days is told, and issued anew; all daemons show the new one, and none is restarted"
    )
    func renewal() async throws {
        try await shorten("etcd")
        try await shorten("postgres")
        let status = try await drover("status")
        for identity in ["etcd", "postgres"] {
            #expect(
                status.output.contains(
                    "critical  the certificate /etc/ssl/drover/\(identity).crt on pg1 ends in 4 days"),
                "\(status.output)")
        }
        let before = try await starts(of: ["etcd"] + Self.others)
        let plan = try await drover("plan", "deploy-cluster")
        let result = try await drover("apply", "deploy-cluster", "--yes")
        #expect(result.status == 0, "\(result.everything)")
        let expected: Set = [
            "pg1: issue the certificate /etc/ssl/drover/etcd.crt (it ends in 4 days)",
            "pg1: issue the certificate /etc/ssl/drover/postgres.crt (it ends in 4 days)", "pg1: reload patroni",
            "pg1: reload pgbouncer",
        ]
        #expect(Steps.planned(in: plan.output) == expected, "\(plan.output)")
        // Patroni opens its REST API anew: who finds it closed just then waits.
        #expect(Steps.changed(in: result.output) == expected, "\(result.output)")
        // Patroni, which also has PostgreSQL read it, does so at its next turn.
        try await expectShown(
            on: "pg1",
            at: ["2379", "2380", "8008", "5432 '-starttls postgres'", "6432 '-starttls postgres'"])
        #expect(try await starts(of: ["etcd"] + Self.others) == before)
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
    }

    /// The daemons that read a new certificate, and a new authority, without being started anew.
    private static let others = ["patroni", "pgbouncer", "haproxy"]

    /// When daemons of pg1, and the server, were started.
    private func starts(of units: [String]) async throws -> String {
        try await lab.must(
            on: "pg1",
            """
            for unit in \(units.joined(separator: " ")); do
                systemctl show -p ExecMainStartTimestampMonotonic $unit
            done
            cd / && runuser -u postgres -- psql -XAtqc 'SELECT pg_postmaster_start_time()'
            """)
    }

    /// Waits until the daemons at some ports show the certificate that is there. Patroni, which also has PostgreSQL read it,
    /// does so at its next turn.
    private func expectShown(on host: String, at ports: [String]) async throws {
        try await lab.must(
            on: host,
            """
            shows() {
                case $1 in 23*) name=etcd ;; *) name=postgres ;; esac
                openssl s_client ${2-} -connect 10.70.0.1\(host.dropFirst(2)):$1 -cert /etc/ssl/drover/$name.crt \
                    -key /etc/ssl/drover/$name.key </dev/null 2>/dev/null | openssl x509 -noout -serial >/tmp/shown
                openssl x509 -noout -serial -in /etc/ssl/drover/$name.crt | cmp -s - /tmp/shown
            }
            until \(ports.map { "shows \($0)" }.joined(separator: " && ")); do sleep 0.2; done
            """)
    }

    /// Gives pg1 a certificate of the same authority that ends in five days.
    private func shorten(_ identity: String) async throws { try await give("pg1", identity, days: 5) }

    /// Puts a certificate of the authority onto a host, for its key.
    ///
    /// - Parameter names: as `openssl` wants them; nil for those of the certificate that is there.
    private func give(_ host: String, _ identity: String, days: Int = 100, names: String? = nil) async throws {
        let path = "/etc/ssl/drover/\(identity)"
        let key = try await lab.must(on: host, "openssl pkey -in \(path).key -pubout")
        let present = try await lab.must(
            on: host,
            "openssl x509 -in \(path).crt -noout -ext subjectAltName | sed '1d; s/IP Address/IP/g; s/^ *//'")
        let files = [
            "public": key,
            "extensions": "subjectAltName=\(names ?? present)\nextendedKeyUsage=serverAuth,clientAuth\n",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(lab.folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let made = try await Command.run([
            "sh", "-e", "-c",
            """
            cd "$1"
            if grep -q ANSIBLE_VAULT secrets/safe/ca.key
            then "$2" secret view secrets/safe/ca.key --vault-password-file vault-password
            else cat secrets/safe/ca.key
            fi >authority.key
            openssl x509 -new -force_pubkey public -subj /CN=\(host) -CA secrets/safe/ca.crt -CAkey authority.key \
                -days \(days) -extfile extensions
            """, "sh", lab.folder, Drover.program,
        ])
        try #require(made.status == 0, "\(made.everything)")
        try await lab.must(on: host, "cat >\(path).crt <<'END'\n\(made.output)END")
    }

    // MARK: Another authority

    @Test(
        "another authority takes over in three steps; clients that trust either are served, and only etcd is restarted")
    func otherAuthority() async throws {
        let before = try await starts(of: Self.others)
        let (old, new) = (try kept("ca.crt"), try await Self.authority(in: lab.folder))
        for (trusted, key) in [(old + new.certificate, nil), (new.certificate + old, new.key), (new.certificate, nil)] {
            try trusted.write(toFile: "\(secrets)/ca.crt", atomically: true, encoding: .utf8)
            try key?.write(toFile: "\(secrets)/ca.key", atomically: true, encoding: .utf8)
            let result = try await drover("apply", "deploy-cluster", "--yes")
            try #require(result.status == 0, "\(result.everything)")
            expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
            try await lab.must(on: "pg1", "cat >/tmp/trusted <<'END'\n\(trusted)END")
            try await expectServed(trusting: "/tmp/trusted")
        }
        #expect(try await starts(of: Self.others) == before)
        let status = try await drover("status")
        #expect(status.output.contains("Nothing to complain about."), "\(status.output)")
    }

    @Test("certificates that somebody else puts on the hosts are checked, and used")
    func ownCertificates() async throws {
        try writeInventory("    tls_cert_generate: false")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        let path = "/etc/ssl/drover/postgres.crt"
        let kept = try await lab.must(on: "pg2", "cat \(path)")
        try await give("pg2", "postgres", names: "DNS:elsewhere.example.com")
        let refused = try await drover("plan", "deploy-cluster")
        #expect(refused.status == 9, "\(refused.everything)")
        #expect(refused.errors.contains("it does not stand for 10.70.0.100, 10.70.0.12"), "\(refused.errors)")

        // Another one, as good as that which was there.
        try await lab.must(on: "pg2", "cat >\(path) <<'END'\n\(kept)END")
        try await give("pg2", "postgres")
        let result = try await drover("apply", "deploy-cluster", "--yes")
        #expect(result.status == 0, "\(result.everything)")
        #expect(
            Steps.changed(in: result.output) == ["pg2: reload patroni", "pg2: reload pgbouncer"], "\(result.output)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        try await expectShown(on: "pg2", at: ["8008", "5432 '-starttls postgres'", "6432 '-starttls postgres'"])
        try writeInventory()
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
    }

    private func kept(_ file: String) throws -> String {
        try String(contentsOfFile: "\(secrets)/\(file)", encoding: .utf8)
    }

    /// An authority as an operator makes one.
    private static func authority(in folder: String) async throws -> (certificate: String, key: String) {
        let made = try await Command.run([
            "sh", "-e", "-c",
            """
            cd "$1"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=An operator' \
                -keyout new.key -out new.crt
            """, "sh", folder,
        ])
        try #require(made.status == 0, "\(made.everything)")
        return (
            try String(contentsOfFile: "\(folder)/new.crt", encoding: .utf8),
            try String(contentsOfFile: "\(folder)/new.key", encoding: .utf8)
        )
    }

    private func expectServed(trusting file: String) async throws {
        let result = try await lab.must(
            on: "pg1",
            """
            for port in 5000 5001; do
                PGPASSWORD=\(lab.password(of: "app")) psql -XAtqc 'SELECT 1' \
                    "host=10.70.0.100 port=$port user=app dbname=app sslmode=verify-full sslrootcert=\(file)"
            done
            runuser -u postgres -- sh -c 'cd /; psql -XAtqc "SELECT count(*) FROM pg_stat_replication"'
            """)
        #expect(result == "1\n1\n1\n")
    }

    // MARK: Without TLS

    @Test("TLS is not switched off under a cluster that runs, nor is its authority changed: exit code 9")
    func refusals() async throws {
        let off = try await drover("plan", "deploy-cluster", "-e", "tls_enable=false")
        #expect(off.status == 9, "\(off.everything)")
        #expect(off.errors.contains("runs with TLS, and the inventory wants it without"), "\(off.errors)")
        let files = FileManager.default
        try files.moveItem(atPath: secrets + "/ca.crt", toPath: secrets + "/kept")
        let other = try await drover("plan", "deploy-cluster")
        try files.moveItem(atPath: secrets + "/kept", toPath: secrets + "/ca.crt")
        #expect(other.status == 9, "\(other.everything)")
        #expect(other.errors.contains("certificates of another authority"), "\(other.errors)")
    }

    @Test("a cluster is removed with its keys, and one without TLS is made in its place")
    func withoutTLS() async throws {
        let plan = try await drover("plan", "remove-cluster", "--even-if-in-use")
        let words = try #require(plan.output.firstMatch(of: /safe@[0-9]+/), "\(plan.everything)").output
        let removal = try await drover(
            "apply", "remove-cluster", "--purge", "--even-if-in-use", "--confirm", String(words))
        try #require(removal.status == 0, "\(removal.everything)")
        for host in ["pg1", "pg2"] {
            let left = "ls -A /etc/ssl/drover; ls /etc/patroni/api.curl 2>/dev/null; true"
            #expect(try await lab.must(on: host, left) == "")
        }
        try writeInventory("    tls_enable: false")
        let result = try await drover("apply", "deploy-cluster", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        let answer = try await lab.must(
            on: "pg1",
            """
            PGPASSWORD=\(lab.password(of: "app")) psql -XAtqc 'SHOW ssl' \
                'host=10.70.0.100 port=5000 user=app dbname=app sslmode=disable'
            curl --silent --fail http://10.70.0.11:2379/health >/dev/null && echo etcd
            curl --silent --fail http://10.70.0.11:8008/primary >/dev/null && echo patroni
            ls /etc/ssl/drover
            """)
        #expect(answer == "off\netcd\npatroni\n")
        let on = try await drover("plan", "deploy-cluster", "-e", "tls_enable=true")
        #expect(on.status == 9, "\(on.everything)")
        #expect(on.errors.contains("write tls_enable: false, and it stays as it is"), "\(on.errors)")
    }
}
