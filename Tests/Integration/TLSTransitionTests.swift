import Foundation
import Testing

/// Other certificates for a cluster that runs, another authority, and none.
@Suite("Transitions of TLS", .lab(from: .safe))
struct TLSTransitionTests: TLSSuite {
    // MARK: Renewal

    @Test(
        "a certificate that ends in five days is told, and issued anew; all daemons show the new one, and none is restarted"
    )
    func renewal() async throws {
        let identities = ["etcd", "etcd-client", "postgres"]
        for identity in identities { try await shorten(identity) }
        let status = try await drover("status")
        for identity in identities {
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
            "pg1: issue the certificate /etc/ssl/drover/etcd-client.crt (it ends in 4 days)",
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

    // MARK: Another authority

    @Test(
        "another authority takes over in three steps; clients that trust either are served, and only etcd is restarted",
        arguments: ["ca", "etcd-ca"])
    func otherAuthority(_ name: String) async throws {
        let before = try await starts(of: Self.others)
        let (old, new) = (try kept("\(name).crt"), try await Self.authority(in: lab.folder))
        for (trusted, key) in [(old + new.certificate, nil), (new.certificate + old, new.key), (new.certificate, nil)] {
            try trusted.write(toFile: "\(secrets)/\(name).crt", atomically: true, encoding: .utf8)
            try key?.write(toFile: "\(secrets)/\(name).key", atomically: true, encoding: .utf8)
            let result = try await drover("apply", "deploy-cluster", "--yes")
            try #require(result.status == 0, "\(result.everything)")
            expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
            try await lab.must(on: "pg1", "cat >/tmp/trusted <<'END'\n\(try kept("ca.crt"))END")
            try await expectServed(trusting: "/tmp/trusted")
        }
        #expect(try await starts(of: Self.others) == before)
        let status = try await drover("status")
        #expect(status.output.contains("Nothing to complain about."), "\(status.output)")
        try await expectNothingOfEtcd()
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

    // MARK: Without TLS

    @Test("TLS is not switched off under a cluster that runs, nor are its authorities changed: exit code 9")
    func refusals() async throws {
        let off = try await drover("plan", "deploy-cluster", "-e", "tls_enable=false")
        #expect(off.status == 9, "\(off.everything)")
        #expect(off.errors.contains("runs with TLS, and the inventory wants it without"), "\(off.errors)")
        let files = FileManager.default
        for file in ["/ca.crt", "/etcd-ca.crt"] {
            try files.moveItem(atPath: secrets + file, toPath: secrets + "/kept")
            let other = try await drover("plan", "deploy-cluster")
            try files.moveItem(atPath: secrets + "/kept", toPath: secrets + file)
            #expect(other.status == 9, "\(other.everything)")
            #expect(other.errors.contains("certificates of another authority"), "\(other.errors)")
        }
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
