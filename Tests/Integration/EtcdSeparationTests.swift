import Foundation
import Testing

extension LabSnapshot {
    /// A cluster as an earlier version left it: etcd trusts the authority of the cluster.
    static let sharedAuthority: LabSnapshot = .init("shared") {
        try await deploy()
        try await EtcdSeparationTests().takeBack()
    }
}

/// A cluster of an earlier version, whose etcd trusts the authority of the cluster, gets one of its own while clients write.
@Suite("An etcd that trusts the cluster's authority", .lab(from: .sharedAuthority))
struct EtcdSeparationTests: FailoverClient {
    let ttl = 30
    private var secrets: String { "\(lab.folder)/secrets/lab" }
    private static let folder = "/etc/ssl/drover"

    func inventory() throws -> String { lab.inventory }

    @Test("status and other playbooks work with the cluster of an earlier version")
    func begin() async throws {
        let status = try await lab.drover("status", "-i", lab.inventory)
        #expect(status.output.contains("Nothing to complain about."), "\(status.everything)")
        let part = try await lab.apply(nil, "--limit", "pg1")
        #expect(part.errors.contains("deploy-cluster is carried out as a whole"), "\(part.everything)")
        let before = try await leader()
        let other = try #require(hosts.first { $0 != before })
        let moved = try await switchover("--to", other)
        #expect(moved.status == 0, "\(moved.everything)")
    }

    @Test("one apply separates etcd while clients write, and another one changes nothing")
    func separate() async throws {
        try await startClient()
        let before = try await acknowledged()
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory)
        let result = try await lab.apply()
        try #require(result.status == 0, "\(result.everything)")
        #expect(Steps.changed(in: result.output).isSubset(of: Steps.planned(in: plan.output)), "\(result.output)")
        try await expectServed(since: before)
        try await expectSeparated()
    }

    @Test("a run that is killed at any play is completed by the next one")
    func killed() async throws {
        try await startClient()
        let before = try await acknowledged()
        let plays = try await lab.applyKilledAtEachPlay(["deploy-cluster", "-i", lab.inventory, "--yes"])
        for play in [
            "Start etcd", "Bring the members up to date", "Give etcd certificates of its own authority",
            "Let etcd trust its own authority alone",
        ] { #expect(plays.contains(play), "\(plays)") }
        try await expectServed(since: before)
        try await expectSeparated()
    }

    @Test(
        "a host that loses its power between two steps comes back as part of the cluster",
        arguments: [
            "issue the certificate /etc/ssl/drover/etcd-client.crt (there is none)", "write /etc/patroni/config.yml",
            "write /etc/systemd/system/patroni.service.d/etcd.conf",
            "issue the certificate /etc/ssl/drover/etcd.crt (another authority has issued it)",
        ])
    func lostPower(after step: String) async throws {
        let words = ["apply", "deploy-cluster", "-i", lab.inventory, "--yes"]
        try await lab.kill(words, after: step)
        for host in hosts.dropLast() {
            try await lab.fault("kill", host)
            try await lab.fault("start", host)
        }
        try await expectWhole()
        let result = try await lab.apply(nil, "--wait")
        try #require(result.status == 0, "\(result.everything)")
        try await expectSeparated()
    }

    /// Every acknowledged row is there, no statement has failed, and no member was promoted.
    ///
    /// - Parameter before: how many rows were acknowledged before.
    private func expectServed(since before: Int) async throws {
        try await writesAgain(after: try await acknowledged())
        try await expectEveryRow()
        let timelines = try await lab.must(on: "pg3", "tail -n +\(before) /tmp/times | cut -d ' ' -f 2 | sort -u")
        #expect(timelines.linesOfOutput.count == 1, "\(timelines)")
        let failed = try await lab.must(on: "pg3", "cat /tmp/failed")
        if !failed.isEmpty { Issue.record("statements have failed: \(failed)\n\(try await account())") }
        let gap = try await lab.must(
            on: "pg3",
            "tail -n +\(before) /tmp/times | awk '{ if (last && $1 - last > gap) gap = $1 - last; last = $1 } END { print gap }'"
        )
        report("etcd is separated, nothing acknowledged for", .seconds(try #require(self.seconds(gap))))
    }

    /// Nobody needs the authority of the cluster in etcd.
    private func expectSeparated() async throws {
        expectNothingChanged(try await lab.apply())
        try await expectWhole()
        for host in hosts {
            let address = "10.70.0.1\(host.dropFirst(2))"
            let found = try await lab.must(
                on: host,
                """
                cd \(Self.folder)
                curl --silent --cacert etcd-ca.crt --cert postgres.crt --key postgres.key https://\(address):2379/version
                grep -c BEGIN etcd-ca.crt
                tr '\\0' '\\n' </proc/$(systemctl show -P MainPID patroni)/environ | grep -c '^PATRONI_ETCD3_.*/etcd-'
                """)
            #expect(found == "1\n3\n", "\(host)")
        }
    }

    /// Brings the files of the cluster to what versions before this one wrote.
    fileprivate func takeBack() async throws {
        // In a paused cluster, a Patroni that stops leaves PostgreSQL running.
        try await lab.must(on: "pg1", "patronictl -c /etc/patroni/config.yml pause --wait")
        for host in hosts {
            let key = try await lab.must(on: host, "openssl pkey -in \(Self.folder)/etcd.key -pubout")
            let address = "10.70.0.1\(host.dropFirst(2))"
            let files = [
                "public": key,
                "extensions": """
                subjectAltName=DNS:\(host),IP:\(address),DNS:localhost,IP:127.0.0.1
                extendedKeyUsage=serverAuth,clientAuth

                """,
            ]
            for (name, text) in files {
                try text.write(toFile: "\(lab.folder)/\(name)", atomically: true, encoding: .utf8)
            }
            let made = try await Command.run([
                "sh", "-e", "-c",
                """
                cd "$1"
                openssl x509 -new -force_pubkey public -subj /CN=\(host) -CA "$2/ca.crt" -CAkey "$2/ca.key" \
                    -days 800 -extfile extensions
                """, "sh", lab.folder, secrets,
            ])
            try #require(made.status == 0, "\(made.everything)")
            try await lab.must(
                on: host,
                """
                cd \(Self.folder)
                cat >etcd.crt <<'END'
                \(made.output)END
                rm etcd-ca.crt etcd-client.crt etcd-client.key /etc/systemd/system/patroni.service.d/etcd.conf
                sed -i 's|/etcd-ca\\.crt|/ca.crt|' /etc/default/etcd
                sed -i 's|/etcd-ca\\.crt|/ca.crt|; s|/etcd-client\\.|/postgres.|' /etc/patroni/config.yml
                systemctl daemon-reload; systemctl stop patroni
                """)
        }
        for host in hosts { try await lab.must(on: host, "systemctl stop etcd") }
        for host in hosts { try await lab.must(on: host, "systemctl start --no-block etcd patroni") }
        let control = "until patronictl -c /etc/patroni/config.yml"
        try await lab.must(on: "pg1", "\(control) resume --wait; do sleep 0.2; done")
        for file in ["etcd-ca.crt", "etcd-ca.key"] {
            try FileManager.default.removeItem(atPath: "\(secrets)/\(file)")
        }
        try await expectWhole()
    }

    private func expectWhole() async throws {
        try await lab.eventually("the cluster is whole") { status in
            status.findings.isEmpty && status.members.count { $0.state == "streaming" } == 2
        }
    }
}
