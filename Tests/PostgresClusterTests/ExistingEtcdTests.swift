import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("An etcd that there was before")
struct ExistingEtcdTests {
    private static let groups = """
            master:
              hosts:
                pg1: { ansible_host: 10.0.0.1 }
            replica:
              hosts:
                pg2: { ansible_host: 10.0.0.2 }
        """

    private static func text(_ variables: [String], groups: String = groups) -> String {
        Sample.text(Sample.variables + variables, groups: groups)
    }

    private static let plain = [
        "dcs_exists: true", "patroni_etcd_hosts: [{ host: 10.0.9.1 }, { host: etcd2, port: 2479 }]",
    ]

    private static let impossible: [(variables: [String], expected: String)] = [
        (
            ["dcs_exists: true"],
            "dcs_exists is true, and nobody says where etcd is; write patroni_etcd_hosts: [{ host: 10.0.0.9, port: 2379 }]"
        ),
        (plain + ["dcs_type: consul"], "the cluster cannot be kept in 'consul'; write etcd"),
        (
            plain + ["patroni_etcd_username: u"],
            "patroni_etcd_username and patroni_etcd_password belong together; write both, or none"
        ),
        (
            plain + ["patroni_etcd_cacert: /etc/ca.crt"],
            "patroni_etcd_cacert means nothing without TLS; write patroni_etcd_protocol: https"
        ),
        (
            plain + ["patroni_etcd_protocol: https", "patroni_etcd_key: etcd.key"],
            "'etcd.key' is no absolute path; write one, such as /etc/etcd/ca.crt"
        ),
        (
            plain + ["patroni_etcd_namespace: a/b"],
            "'a/b' cannot be patroni_etcd_namespace; use letters, digits, '_', '.', '@' and '-'"
        ),
        (["dcs_exists: true", "patroni_etcd_hosts: [{ host: a, port: 0 }]"], "0 is no port; write 1 to 65535"),
    ]

    @Test("is refused where it cannot be", arguments: impossible)
    func faults(variables: [String], expected: String) throws {
        let error = try #require(throws: Diagnostics.self) { try Sample.configuration(Self.text(variables)) }
        #expect(
            error.all.map { "\($0)".split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" }.contains(
                expected))
    }

    @Test("is not set up, and not set up beside")
    func groups() throws {
        let beside = try #require(throws: Diagnostics.self) {
            try Sample.configuration(Sample.text(Sample.variables + Self.plain))
        }
        #expect("\(beside)".contains("'pg1' is in 'etcd_cluster', but dcs_exists is true"))
        let without = try #require(throws: Diagnostics.self) {
            try Sample.configuration(Self.text(["patroni_etcd_hosts: [{ host: a }]"]))
        }
        #expect("\(without)".contains("patroni_etcd_hosts means nothing without dcs_exists: true"))
        let cluster = try Sample.cluster(Self.text(Self.plain))
        for node in cluster.configuration.members {
            #expect(!cluster.packages(of: node.host).contains("etcd-server"))
            #expect(try cluster.etcd(on: node.host).isEmpty)
        }
    }

    @Test("is where Patroni keeps the cluster")
    func rendered() throws {
        func head(_ variables: [String]) throws -> String {
            let cluster = try Sample.cluster(Self.text(variables))
            let file = try GoldenTests.content(
                of: "/etc/patroni/config.yml", in: cluster.patroni(on: cluster.configuration.members[0].host))
            let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.drop { $0 != "etcd3:" }.prefix { !$0.isEmpty }.joined(separator: "\n")
        }
        #expect(
            try head(Self.plain) == """
                etcd3:
                  hosts:
                    - 10.0.9.1:2379
                    - etcd2:2479
                  protocol: http
                """)
        #expect(
            try head(
                Self.plain + [
                    "patroni_etcd_protocol: https", "patroni_etcd_cacert: /etc/e/ca.crt",
                    "patroni_etcd_cert: /etc/e/c.crt",
                    "patroni_etcd_key: /etc/e/c.key", "patroni_etcd_username: demo", "patroni_etcd_password: \"it's\"",
                ]) == """
                    etcd3:
                      hosts:
                        - 10.0.9.1:2379
                        - etcd2:2479
                      protocol: https
                      cacert: /etc/e/ca.crt
                      cert: /etc/e/c.crt
                      key: /etc/e/c.key
                      username: 'demo'
                      password: 'it''s'
                    """)
        let configuration = try Sample.configuration(Self.text(Self.plain + ["patroni_etcd_namespace: db"]))
        #expect(configuration.path == "/db/demo/")
    }

    // MARK: What it tells

    private func view(_ more: [String] = []) throws -> (view: ExistingEtcdView, configuration: ClusterConfiguration) {
        let configuration = try Sample.configuration(Self.text(Self.plain + more))
        return (try #require(ClusterQuestions(configuration: configuration).existingEtcd), configuration)
    }

    @Test("is asked by curl, with the password and the token on the standard input alone")
    func login() async throws {
        let (view, _) = try view(["patroni_etcd_username: demo", "patroni_etcd_password: secret-pw"])
        let run = try await ShellRun.of(
            """
            curl() {
                for word; do printf '[%s]' "$word" >&3; done; echo >&3
                case "$* $(cat)" in
                */health*) echo '{"health":"true"}' ;;
                */authenticate*'\\"password\\":\\"secret-pw\\"'*) echo '{"header":{},"token":"tok.1"}' ;;
                *'header = "Authorization: tok.1"'*range_end*) echo '{"kvs":[{"key":"L3NlcnZpY2UvZGVtby9sZWFkZXI="}]}' ;;
                *'header = "Authorization: tok.1"'*) echo '{"kvs":[{"key":"a","value":"NzEyMw=="}]}' ;;
                esac
            }
            exec 3>&2
            \(ExistingEtcdView.script(for: [view]).reveal())
            """)
        let told = try #require(ExistingEtcdView.answers(to: [view], from: run.output)[view])
        #expect(
            told
                == ["10.0.9.1:2379", "etcd2:2479"].map {
                    .init(
                        endpoint: $0, isHealthy: true, isReadable: true, keys: ["/service/demo/leader"],
                        systemIdentifier: "7123")
                })
        #expect(!run.errorOutput.contains("secret-pw"))
        #expect(!run.errorOutput.contains("tok.1"))
        #expect(run.errorOutput.contains("[http://etcd2:2479/v3/kv/range]"))
    }

    @Test("that does not answer, is not healthy, or lets nobody in")
    func silence() throws {
        let (view, configuration) = try view()
        let told = try #require(
            try ExistingEtcdView.answers(
                to: [view],
                from: """
                    question
                    endpoint 10.0.9.1:2379
                    health 
                    login 
                    keys 
                    value 
                    endpoint etcd2:2479
                    health {"health":"true"}
                    login 
                    keys {"error":"etcdserver: permission denied","code":7}
                    value {"error":"etcdserver: permission denied","code":7}

                    """)[view])
        #expect(told.map(\.isHealthy) == [false, true])
        #expect(told.map(\.isReadable) == [nil, false])
        #expect(told.map(\.complaint) == ["no answer", "etcdserver: permission denied"])
        let cluster = try Sample.cluster(Self.text(Self.plain)) { observed, _ in
            observed[configuration.members[0].host].record(told, to: view)
        }
        #expect(
            cluster.preflight(waiving: []).findings.filter { $0.check == .etcd } == [
                PreflightFinding(
                    check: .etcd, host: "pg1",
                    text: "the etcd of patroni_etcd_hosts cannot be used: 10.0.9.1:2379 (no answer), etcd2:2479 "
                        + "(etcdserver: permission denied): bring it back, or correct how it is reached")
            ])
    }

    /// What a host says after it was asked by a `curl` that answers so.
    private func asked(_ answer: String, free: Bool) async throws -> (status: Int32, output: String) {
        let (view, configuration) = try view()
        let directory = ClusterQuestions(configuration: configuration).directory
        var facts = Facts()
        facts.record([.init(endpoint: "10.0.9.1:2379", isUnaskable: true)], to: view)
        facts.record(.empty, to: directory)
        let resource = LetInByEtcd(view: view, directory: free ? directory : nil)
        let change = try #require(try resource.changes(given: facts, after: PendingEffects()).first)
        #expect(change.summary == "ask the etcd of patroni_etcd_hosts whether it lets the cluster in")
        let run = try await ShellRun.of(
            "set -e\ncurl() { cat >/dev/null; echo '\(answer)'; }\n\(change.script.reveal())")
        return (run.status, run.output)
    }

    @Test("is asked again when there is something to ask it by, before the cluster begins")
    func access() async throws {
        let common = "CommonName of client sending a request against gateway will be ignored and not used as expected"
        #expect(try await asked(#"{"header":{}}"#, free: true) == (0, ""))
        let known = #"{"header":{},"kvs":[{"key":"a"}]}"#
        #expect(try await asked(known, free: false) == (0, ""))
        let other = try await asked(known, free: true)
        #expect(other.status == 1)
        #expect(other.output.hasPrefix("it knows another cluster under /service/demo/: "))
        let named = try await asked(common, free: true)
        #expect(named.status == 1)
        #expect(named.output.contains("10.0.9.1:2379 (the certificate has a CommonName"), "\(named.output)")
        #expect(try await asked("", free: true).output.contains("etcd2:2479 (no answer)"))
    }

    @Test("asks nothing more of an etcd that lets the cluster in")
    func accessGranted() throws {
        let (view, configuration) = try view()
        let directory = ClusterQuestions(configuration: configuration).directory
        func changes(_ found: PostgresDirectory.Answer, system: String?) throws -> Int {
            var facts = Facts()
            let told = ["10.0.9.1:2379", "etcd2:2479"].map {
                ExistingEtcdView.Told(endpoint: $0, isHealthy: true, isReadable: true, systemIdentifier: system)
            }
            facts.record(told, to: view)
            facts.record(found, to: directory)
            let resource = LetInByEtcd(view: view, directory: directory)
            return try resource.changes(given: facts, after: PendingEffects()).count
        }
        #expect(try changes(.empty, system: nil) == 0)
        #expect(try changes(.empty, system: "7") == 1)
        #expect(try changes(.initialised(systemIdentifier: "7"), system: "7") == 0)
    }

    @Test("tells whether the cluster's name is free, and forgets it alone")
    func state() throws {
        let (view, configuration) = try view()
        let told = [
            ExistingEtcdView.Told(endpoint: "10.0.9.1:2379"),
            ExistingEtcdView.Told(
                endpoint: "etcd2:2479", isHealthy: true, isReadable: true, keys: ["/service/demo/initialize"],
                systemIdentifier: "7"),
        ]
        var observed = Observations()
        for node in configuration.members {
            observed[node.host].record(told, to: view)
            observed[node.host].record(.empty, to: ClusterQuestions(configuration: configuration).directory)
        }
        #expect(
            ClusterQuestions(configuration: configuration).state(given: observed)
                == .partial("etcd knows this cluster (system identifier 7), but no member has a database"))
        var facts = Facts()
        facts.record(told, to: view)
        let changes = try ForgottenInExistingEtcd(view: view).changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == ["delete the keys under /service/demo/ in etcd"])
        #expect(changes[0].script.description.contains("http://etcd2:2479"))
        facts.record([.init(endpoint: "etcd2:2479", isHealthy: true, isReadable: true)], to: view)
        #expect(try ForgottenInExistingEtcd(view: view).changes(given: facts, after: PendingEffects()).isEmpty)
    }
}
