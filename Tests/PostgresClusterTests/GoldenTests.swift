import Diagnostics
import Engine
import FoundationEssentials
import Inventory
import Secrets
import TestSupport
import Testing

@testable import PostgresCluster
@testable import SystemResources

@Suite("Configuration files")
struct GoldenTests {
    private static let files: [(path: String, golden: String)] = [
        ("/etc/default/etcd", "etcd.env"), ("/etc/default/etcd.initial", "etcd.initial.env"),
        ("/etc/systemd/system/etcd.service.d/drover.conf", "etcd.service.conf"),
        ("/etc/patroni/config.yml", "patroni.yml"), (PatroniAPI.login, "patroni.api.curl"),
        ("/etc/systemd/system/patroni.service.d/drover.conf", "patroni.service.conf"),
        (CorrectedPatroni.path, "patroni-corrected.py"),
        ("/etc/systemd/system/patroni.service.d/correction.conf", "patroni.correction.conf"),
        (PatroniFence.path, "patroni-fence.py"), (PatroniFenceUnit.path, "patroni-fence.service"),
        ("/etc/postgresql-common/createcluster.d/drover.conf", "createcluster.conf"),
        ("/etc/pgbouncer/pgbouncer.ini", "pgbouncer.ini"), ("/etc/pgbouncer/userlist.txt", "pgbouncer.userlist.txt"),
        ("/etc/pgbouncer/listen.ini", "pgbouncer.listen.ini"),
        ("/etc/systemd/system/pgbouncer.service.d/drover.conf", "pgbouncer.service.conf"),
        ("/etc/haproxy/haproxy.cfg", "haproxy.cfg"), ("/etc/keepalived/keepalived.conf", "keepalived.conf"),
        ("/etc/systemd/system/keepalived.service.d/drover.conf", "keepalived.service.conf"),
    ]

    private static let sample = Sample.text(
        Sample.variables + [
            "cluster_vip: 10.0.0.100",
            "pgbouncer_pools: [{ name: app, pool_parameters: 'pool_size=20 pool_mode=transaction' }, { name: r, dbname: app }]",
            "postgresql_parameters: [{ option: max_connections, value: 200 }, { option: search_path, value: \"it's\" }]",
        ])

    /// What each resource of the second host writes.
    private func resources(_ text: String = sample, tls: Bool = false) throws -> [any Resource] {
        let cluster = try Sample.cluster(text, tls: tls)
        let host = cluster.configuration.members[1].host
        return try cluster.preparation(on: host) + cluster.etcd(on: host) + cluster.patroni(on: host)
            + cluster.pgbouncer(on: host) + cluster.haproxy(on: host) + cluster.keepalived(on: host)
    }

    /// The content that a file is given where there is none, secrets and all.
    static func content(of path: String, in resources: [any Resource]) throws -> String {
        let file = try #require(filesWritten(by: resources).first { $0.path == path })
        var facts = Facts()
        for question in file.questions {
            if let status = question as? FileStatus { facts.record(nil, to: status) }
            if let content = question as? FileContent { facts.record(.absent, to: content) }
        }
        let change = try #require(try file.changes(given: facts, after: PendingEffects()).first)
        let lines = change.script.reveal().linesOfText
        let encoded = lines.drop { !$0.hasSuffix("<<'END_OF_CONTENT'") }.dropFirst().prefix { $0 != "END_OF_CONTENT" }
        let data = try #require(Data(base64Encoded: encoded.joined()))
        return String(decoding: data, as: UTF8.self)
    }

    private static func filesWritten(by resources: [any Resource]) -> [File] {
        resources.compactMap { ($0 as? Declared)?.resource }.flatMap { resource in
            (resource as? PatroniCorrection).map { [$0.launcher, $0.settings.file] }
                ?? [resource as? File ?? (resource as? EtcdBeginning)?.newCluster ?? (resource as? UnitDropIn)?.file]
                .compactMap(\.self)
        }
    }

    @Test("are as the golden files say", arguments: files)
    func golden(path: String, golden: String) throws {
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(golden)")
        let written = try Self.content(of: path, in: resources())
        #expect(UnifiedDiff(from: expected, to: written).text == [])
        #expect(written == expected)
    }

    @Test("every template has its golden file, and no resource writes without one")
    func complete() throws {
        let goldens =
            Self.files.map(\.golden) + BackupGoldenTests.templates + WALGGoldenTests.templates
            + MonitoringTests.templates + [PatroniEtcdSettings.template]
        #expect(Set(goldens) == Set(ClusterTemplates.all.map { $0.template }))
        let written = Self.filesWritten(by: try resources()).map(\.path)
        #expect(Set(written) == Set(Self.files.map(\.path)))
    }

    /// A cluster that says everything about consistency.
    private static let consistent =
        Sample.text(
            Sample.variables + [
                "patroni_preset: safe", "synchronous_mode: true", "synchronous_mode_strict: true",
                "synchronous_node_count: 2", "patroni_failsafe_mode: false", "patroni_watchdog_mode: required",
                "patroni_postgresql_use_pg_rewind: false", "patroni_remove_data_directory_on_rewind_failure: true",
                "patroni_slots: [{ slot: feed, type: logical, database: app, plugin: pgoutput }, { slot: far, type: physical }]",
                "haproxy_listen_port: { master_direct: 6000, replicas_async_direct: 6003 }",
            ]
        ).replacing("pg2: { ansible_host", with: "pg2: { patroni_tags: noloadbalance=true, ansible_host")

    @Test(
        "say what is wanted of consistency",
        arguments: [
            ("/etc/patroni/config.yml", "consistency.patroni.yml"),
            ("/etc/haproxy/haproxy.cfg", "consistency.haproxy.cfg"),
        ])
    func consistency(path: String, golden: String) throws {
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(golden)")
        let written = try Self.content(of: path, in: resources(Self.consistent))
        #expect(UnifiedDiff(from: expected, to: written).text == [])
        #expect(written == expected)
    }

    @Test(
        "say what is wanted of TLS",
        arguments: [
            ("/etc/default/etcd", "tls.etcd.env"), ("/etc/default/etcd.initial", "tls.etcd.initial.env"),
            ("/etc/patroni/config.yml", "tls.patroni.yml"), ("/etc/haproxy/haproxy.cfg", "tls.haproxy.cfg"),
            ("/etc/pgbouncer/pgbouncer.ini", "tls.pgbouncer.ini"),
            ("/etc/systemd/system/patroni.service.d/etcd.conf", "tls.patroni.etcd.conf"),
        ])
    func encrypted(path: String, golden: String) throws {
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(golden)")
        let written = try Self.content(of: path, in: resources(tls: true))
        #expect(UnifiedDiff(from: expected, to: written).text == [])
    }

    @Test("the only balancer speaks to nobody")
    func alone() throws {
        let text = Self.sample.split(separator: "hosts: { pg1: , pg2: }").joined(separator: "hosts: { pg2: }")
        let written = try Self.content(of: "/etc/keepalived/keepalived.conf", in: resources(text))
        #expect(written.contains("    unicast_peer {\n        127.0.0.1 min_ttl 255\n    }\n"))
    }

    @Test("the names of resources are unique on a host, or the plan could not tell them apart")
    func names() throws {
        let names = try resources().map(\.name)
        #expect(Set(names).count == names.count)
    }

    private struct Mistake: Sendable {
        var template: String
        var old: String
        var new: String
        /// What stands at the place that is named.
        var place: String
        var expected: String
    }

    private static let mistakes = [
        Mistake(
            template: "etcd.initial.env", old: "{{ token }}", new: "{{ tokn }}", place: "token }}",
            expected: "undefined name 'tokn'; did you mean 'token'?"),
        Mistake(
            template: "keepalived.conf", old: "peer.address", new: "perr.address", place: "peer.address",
            expected: "undefined name 'perr'; did you mean 'peer'?"),
        Mistake(
            template: "haproxy.cfg", old: "{% endfor %}", new: "", place: "{% for line in global_extra",
            expected: "'{% for %}' is never closed; write '{% endfor %}'"),
    ]

    @Test("a mistake in a template is found with its place, before any host is asked", arguments: mistakes)
    private func mistake(mistake: Mistake) throws {
        var place = ""
        let folder = try copyOfTemplates { name, text in
            guard name == mistake.template else { return text }
            let before = text.split(separator: mistake.place, maxSplits: 1, omittingEmptySubsequences: false)[0]
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            place = "\(lines.count):\((lines.last?.count ?? 0) + 1)"
            return text.split(separator: mistake.old, maxSplits: 1, omittingEmptySubsequences: false)
                .joined(separator: mistake.new)
        }
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterTemplates(folder: folder.path) }
        #expect(folder.shortened(diagnostics.description) == "\(mistake.template):\(place): \(mistake.expected)")
    }

    @Test("all templates are read before any complaint")
    func all() throws {
        let folder = try copyOfTemplates { _, text in "{{ x }}" + text }
        let diagnostics = try #require(throws: Diagnostics.self) { try ClusterTemplates(folder: folder.path) }
        #expect(diagnostics.all.count == ClusterTemplates.all.count)
    }

    private func copyOfTemplates(_ edit: (String, String) -> String) throws -> TemporaryDirectory {
        var files: [String: String] = [:]
        for kind in ClusterTemplates.all {
            let text = try String(contentsOfFile: Sample.folder("templates") + "/\(kind.template)")
            files[kind.template] = edit(kind.template, text)
        }
        return try TemporaryDirectory(files)
    }
}

extension String {
    /// The text of a file of the checkout.
    init(contentsOfFile path: String) throws {
        self = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }
}
