import Foundation
import Testing

/// New secrets for a cluster that serves clients.
@Suite("Rotation of secrets", .lab(from: .safe))
struct TLSRotationTests: TLSSuite {
    private func passwords() async throws -> [String: String] {
        let view = try await Command.run([Drover.program, "secret", "view", "\(secrets)/passwords.yml"] + vault)
        return Dictionary(
            uniqueKeysWithValues: view.output.linesOfOutput.compactMap { line in
                let words = line.split(separator: " ").map(String.init)
                return words.count == 2 ? (String(words[0].dropLast()), words[1]) : nil
            })
    }

    /// The secrets that log in somewhere, each tried on pg1.
    private func accepted(_ passwords: [String: String]) async throws -> Set<String> {
        func psql(_ name: String, _ options: String) -> String {
            "PGPASSWORD=\(passwords[name] ?? "") psql -XAtqc '\(options.contains("pgbouncer") ? "SHOW VERSION" : "SELECT 1")' "
                + "'host=10.70.0.11 \(options) sslmode=require' >/dev/null 2>&1 && echo \(name)"
        }
        let rest = passwords["patroni_restapi_password"] ?? ""
        let found = try await lab.must(
            on: "pg1",
            """
            \(psql("patroni_superuser_password", "port=5432 user=postgres dbname=postgres"))
            PGPASSWORD=\(passwords["patroni_replication_password"] ?? "") psql -XAtqc IDENTIFY_SYSTEM \
                'host=10.70.0.12 port=5432 user=replicator replication=1 sslmode=require' >/dev/null 2>&1 \
                && echo patroni_replication_password
            \(psql("pgbouncer_auth_password", "port=6432 user=pgbouncer dbname=pgbouncer"))
            curl --silent --fail --cacert \(Self.trust) --user patroni:\(rest) --output /dev/null --request PATCH \
                --data '{"no_such_key":null}' https://10.70.0.11:8008/config && echo patroni_restapi_password
            true
            """)
        return Set(found.linesOfOutput)
    }

    @Test(
        "all passwords are rotated without a failed statement; the old ones log in nowhere and are nowhere on the hosts"
    )
    func rotation() async throws {
        let old = try await passwords()
        #expect(old.count == 4)
        #expect(try await accepted(old) == Set(old.keys))
        try await lab.must(
            on: "pg2",
            #"""
            cat >/tmp/client.sh <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=10.70.0.100 PGPORT=5000 PGUSER=app PGDATABASE=app
            n=0; psql -XAtqc 'CREATE TABLE rotated (n int)'
            while [ ! -e /tmp/stop ]; do
                n=$((n + 1)); sleep 0.02
                psql -XAtqc "INSERT INTO rotated VALUES ($n)" 2>>/tmp/failed && echo $n >>/tmp/acknowledged
            done
            END
            : >/tmp/failed; systemd-run --quiet --unit client sh /tmp/client.sh
            until [ -s /tmp/acknowledged ]; do sleep 0.1; done
            """#)
        let keys = "sha256sum /etc/ssl/drover/*.key"
        let oldKeys = try await lab.must(on: "pg1", keys)
        let rotation = try await Command.run(
            [Drover.program, "secret", "rotate", "--all", "-i", inventory] + vault)
        #expect(rotation.status == 0, "\(rotation.everything)")
        let new = try await passwords()
        #expect(Set(new.keys) == Set(old.keys) && Set(new.values).isDisjoint(with: old.values))
        let plan = try await drover("plan", "deploy-cluster")
        let result = try await drover("apply", "deploy-cluster", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        for secret in Array(old.values) + Array(new.values) {
            #expect(!(rotation.everything + plan.everything + result.everything).contains(secret))
        }
        #expect(Steps.changed(in: result.output).isSubset(of: Steps.planned(in: plan.output)), "\(result.output)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))

        let certificates = try await Command.run(
            [Drover.program, "secret", "rotate", "certificates", "-i", inventory] + vault)
        #expect(certificates.status == 0, "\(certificates.everything)")
        let renewal = try await drover("apply", "deploy-cluster", "--yes")
        try #require(renewal.status == 0, "\(renewal.everything)")
        let newKeys = try await lab.must(on: "pg1", keys)
        #expect(newKeys.linesOfOutput.count == 3 && Set(newKeys.linesOfOutput).isDisjoint(with: oldKeys.linesOfOutput))
        try await expectShown(
            on: "pg1",
            at: ["2379", "2380", "8008", "5432 '-starttls postgres'", "6432 '-starttls postgres'"])
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))

        let failed = try await lab.must(
            on: "pg2",
            "rows=$(wc -l </tmp/acknowledged); until [ $(wc -l </tmp/acknowledged) -gt $((rows + 3)) ]; do sleep 0.1; done; "
                + "touch /tmp/stop; cat /tmp/failed")
        #expect(failed == "")
        #expect(try await accepted(new) == Set(new.keys))
        #expect(try await accepted(old) == [])
        let patterns = old.values.map { "-e \($0)" }.joined(separator: " ")
        for host in ["pg1", "pg2"] {
            let left = try await lab.must(
                on: host, "grep -rlF \(patterns) /etc /run /tmp /var/lib/drover || true")
            #expect(left == "", "\(host)")
        }
    }

    @Test("keepalived loses a password of an earlier version on all hosts at once, and the address stays where it is")
    func vrrpPassword() async throws {
        let hosts = ["pg1", "pg2"]
        for host in hosts {
            try await lab.must(
                on: host,
                """
                cd /etc/keepalived
                sed -i 's/ min_ttl 255//; s/^    virtual_ipaddress {/    authentication {\\n        auth_type PASS\\n        auth_pass 6b9d9761\\n    }\\n&/' \
                    keepalived.conf
                grep -q auth_pass keepalived.conf
                """)
        }
        // Earlier versions had it from the beginning: here nobody holds the address beside another either.
        for host in hosts { try await lab.must(on: host, "systemctl stop keepalived") }
        for host in hosts { try await lab.must(on: host, "systemctl start keepalived") }
        try await lab.must(on: "pg1", "until curl --silent --fail http://10.70.0.100:7000/healthy; do sleep 0.2; done")
        for host in hosts {
            try await lab.must(on: host, "journalctl --sync; journalctl --lines=1 --cursor-file=/root/cursor")
        }
        let result = try await drover("apply", "deploy-cluster", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        #expect(
            Steps.changed(in: result.output)
                == Set(hosts.flatMap { ["\($0): write /etc/keepalived/keepalived.conf", "\($0): reload keepalived"] }),
            "\(result.output)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        for host in hosts {
            let moves = try await lab.must(
                on: host,
                "journalctl --unit=keepalived --cursor-file=/root/cursor --no-pager --output=cat | grep 'Entering MASTER STATE' || true"
            )
            #expect(moves == "", "\(host)")
        }
    }
}
