import Foundation
import Testing

/// What of a cluster with TLS is encrypted.
@Suite("TLS", .lab(from: .safe))
struct TLSTests: TLSSuite {
    @Test("a cluster that runs is not given other passwords because the file is gone: exit code 9")
    func lostPasswords() async throws {
        try FileManager.default.removeItem(atPath: secrets + "/passwords.yml")
        let result = try await drover("plan", "deploy-cluster")
        #expect(result.status == 9, "\(result.everything)")
        #expect(result.errors.contains("nobody knows its passwords"), "\(result.errors)")
    }

    @Test("clients speak TLS through the address, to the pooler and to PostgreSQL, or not at all")
    func clients() async throws {
        for server in ["10.70.0.100:5000", "10.70.0.100:5001", "10.70.0.12:6432", "10.70.0.12:5432"] {
            let parts = server.split(separator: ":")
            func psql(_ options: String) async throws -> Command {
                try await lab.shell(
                    on: "pg1",
                    "PGPASSWORD=\(lab.password(of: "app")) psql 'host=\(parts[0]) port=\(parts[1]) user=app dbname=app "
                        + "\(options)' -XAtqc 'SELECT 1'")
            }
            #expect(try await psql("sslmode=verify-full sslrootcert=\(Self.trust)").output == "1\n", "\(server)")
            let plain = try await psql("sslmode=disable")
            #expect(plain.status == 2, "\(server): \(plain.everything)")
        }
        // Also by the names of tls_names.
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
        let etcd = "curl --silent --max-time 5 --cacert \(Self.etcdTrust) https://10.70.0.11:2379/health"
        for (question, succeeds) in [
            (etcd, false), ("curl --silent --max-time 5 http://10.70.0.11:2379/health", false),
            ("\(etcd) --cert /etc/ssl/drover/etcd.crt --key /etc/ssl/drover/etcd.key", true),
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
            cd /etc/ssl/drover; stat -c '%a %U' /etc/patroni/api.curl etcd.key etcd-client.key postgres.key
            """)
        #expect(answers == "401\n200\n200\nreloaded\n600 root\n600 etcd\n600 postgres\n600 postgres\n")
    }
}
