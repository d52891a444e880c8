import Diagnostics
import Engine
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Guards of a removal")
struct RemovalGuardsTests {
    private typealias Member = RemovalFindings.Member
    private typealias Node = EtcdRemains.Node

    private static let one = PostgresDirectory.Answer.initialised(systemIdentifier: "111")
    private static let two = PostgresDirectory.Answer.initialised(systemIdentifier: "222")

    /// A cluster of two members that runs, and its etcd.
    private static let alive = RemovalFindings(
        members: [
            Member(name: "pg1", directory: one, servedScope: "demo", configuredScope: "demo"),
            Member(name: "pg2", directory: one, servedScope: "demo", configuredScope: "demo"),
        ], known: ["pg1", "pg2"], storedSystem: "111",
        etcd: EtcdRemains(nodes: [
            Node(
                name: "pg1", answers: true, own: ["/service/demo/leader"], isHealthy: true, isEnabled: true,
                hasData: true)
        ]))

    private struct Row: Sendable {
        var what: String
        var isProtected = false
        var postgres = true
        var etcd = true
        var deletes = false
        var evenIfInUse = false
        var change: @Sendable (inout RemovalFindings) -> Void = { _ in }
        /// The beginnings of the reasons, in order.
        var reasons: [String] = []
    }

    private static let mismatch = "the live cluster is not the one of the inventory: "

    private static let rows: [Row] = [
        Row(what: "all well"),
        Row(what: "protected", isProtected: true, reasons: ["the cluster 'demo' is protected"]),
        Row(
            what: "protected, nothing chosen", isProtected: true, postgres: false, etcd: false, reasons: ["the cluster"]
        ),
        Row(
            what: "nothing is left",
            change: { found in
                found = RemovalFindings(
                    members: [Member(name: "pg1"), Member(name: "pg2")],
                    etcd: EtcdRemains(nodes: [Node(name: "pg1"), Node(name: "pg2")]))
            }),
        Row(
            what: "everything at once", isProtected: true,
            change: {
                $0.known.insert("pg9")
                $0.members[0].use.writtenSince = "12:00:00"
            },
            reasons: [
                "the cluster 'demo' is protected",
                mismatch + "the inventory does not name its live members pg9",
                "somebody has written to pg1 since its last checkpoint at 12:00:00 UTC",
            ]),
        Row(
            what: "another cluster's Patroni answers", change: { $0.members[1].servedScope = "prod" },
            reasons: [mismatch + "the Patroni of pg2 belongs to the cluster 'prod'"]),
        Row(
            what: "another cluster's Patroni is stopped",
            change: {
                $0.members[1].servedScope = nil
                $0.members[1].configuredScope = "prod"
            }, reasons: [mismatch + "the Patroni of pg2 belongs to the cluster 'prod'"]),
        Row(
            what: "another database", change: { $0.members[1].directory = two },
            reasons: [
                mismatch
                    + "the databases of pg1 and pg2 are not of one cluster: their system identifiers are 111 and 222"
            ]),
        Row(
            what: "another cluster of that name in etcd", change: { $0.storedSystem = "333" },
            reasons: [mismatch + "the database of pg1 has the system identifier 111, but etcd knows the cluster by 333"]
        ),
        Row(
            what: "letters in the data directory",
            change: {
                $0.members[1].directory = .unreadable
                $0.members[1].servedScope = nil
            }, reasons: [mismatch + "the data directory of pg2 holds something that is no database system"]),
        Row(what: "a replica that is being cloned", change: { $0.members[1].directory = .unreadable }),
        Row(
            what: "killed after the keys were deleted",
            change: { found in
                found.storedSystem = nil
                for index in found.members.indices { found.members[index].servedScope = nil }
            }),
        Row(
            what: "a database of unknown origin",
            change: { found in
                found.storedSystem = nil
                found.members[0].directory = .empty
                found.members[1] = Member(name: "pg2", directory: one)
            }, reasons: [mismatch + "nothing shows that the database of pg2 belongs to it"]),
        Row(
            what: "keys of a cluster of which nothing else is left",
            change: { found in
                for index in found.members.indices { found.members[index].directory = .empty }
            }),
        Row(
            what: "etcd is down",
            change: { $0.etcd.nodes[0].answers = false },
            reasons: ["etcd does not answer, so nobody can tell whose keys are in it"]),
        Row(
            what: "etcd is down, but wanted by nobody", postgres: false, etcd: false,
            change: { $0.etcd.nodes[0].answers = false }),
        Row(
            what: "etcd was stopped for its removal",
            change: {
                $0.etcd.nodes[0].answers = false
                $0.etcd.nodes[0].isEnabled = false
            }),
        Row(
            what: "no quorum", change: { $0.etcd.nodes[0].isHealthy = false },
            reasons: ["etcd has no quorum, so the keys of the cluster cannot be deleted"]),
        Row(
            what: "no quorum, but no keys either",
            change: {
                $0.etcd.nodes[0].isHealthy = false
                $0.etcd.nodes[0].own = []
            }),
        Row(
            what: "a mount point", change: { $0.members[0].place = .init(path: "/d", isMountPoint: true) },
            reasons: ["/data is a mount point on pg1, which cannot be renamed"]),
        Row(
            what: "a mount point that is emptied", deletes: true,
            change: { $0.members[0].place = .init(path: "/d", isMountPoint: true) }),
        Row(
            what: "clients",
            change: {
                $0.members[0].use.poolerClients = [.init(user: "app", database: "app", address: "10.0.0.9"): 2]
                $0.members[1].use.backends = [.init(user: "me", database: "postgres"): 1]
            },
            reasons: [
                "clients are connected to pg1: app to app from 10.0.0.9 (2)",
                "clients are connected to pg2: me to postgres from itself",
            ]),
        Row(
            what: "in use, no matter", evenIfInUse: true,
            change: {
                $0.members[0].use.poolerClients = [.init(user: "app", database: "app", address: "10.0.0.9"): 2]
                $0.members[0].use.writtenSince = "12:00:00"
            }),
        Row(
            what: "only etcd, whatever the members do", postgres: false,
            change: {
                $0.known.insert("pg9")
                $0.members[0].use.writtenSince = "12:00:00"
            }),
    ]

    @Test("decide from what was found, and tell everything", arguments: rows)
    private func decides(row: Row) {
        var found = Self.alive
        row.change(&found)
        let guards = RemovalGuards(
            cluster: "demo", dataDirectory: "/data",
            removal: .init(isProtected: row.isProtected, postgres: row.postgres, etcd: row.etcd), deletes: row.deletes,
            evenIfInUse: row.evenIfInUse)
        let refusals = guards.refusals(given: found)
        #expect(refusals.count == row.reasons.count, "\(row.what): \(refusals)")
        for (refusal, reason) in zip(refusals, row.reasons) {
            #expect(refusal.reason.hasPrefix(reason), "\(row.what)")
            #expect(!refusal.remedies.isEmpty)
        }
    }

    @Test("of many clients the first five are told")
    func many() {
        var found = Self.alive
        for number in 1...7 {
            found.members[0].use.backends[.init(user: "u\(number)", database: "d", address: "10.0.0.9")] = 1
        }
        let guards = RemovalGuards(
            cluster: "demo", dataDirectory: "/data", removal: .init(isProtected: false, postgres: true, etcd: true),
            deletes: false, evenIfInUse: false)
        #expect(guards.refusals(given: found).first?.reason.hasSuffix("u5 to d from 10.0.0.9, and 2 more") == true)
    }

    private static let fates: [(what: String, nodes: [Node], postgres: Bool, etcd: Bool, fate: EtcdRemains.Fate)] = [
        ("its own alone", [Node(name: "a", answers: true, own: ["k"])], true, true, .removed),
        ("empty", [Node(name: "a", answers: true)], false, true, .removed),
        ("not wanted", [Node(name: "a", answers: true)], true, false, .kept),
        (
            "others", [Node(name: "a"), Node(name: "b", answers: true, others: ["/x"])], true, true,
            .needed("it has other keys too, such as /x")
        ),
        (
            "the cluster stays", [Node(name: "a", answers: true, own: ["k"])], false, true,
            .needed("the cluster itself needs it")
        ),
        ("stopped for its removal", [Node(name: "a", hasData: true)], true, true, .removed),
        (
            "stopped by somebody else", [Node(name: "a", isEnabled: true, hasData: true), Node(name: "b")], true, true,
            .kept
        ),
        ("gone", [Node(name: "a"), Node(name: "b")], true, true, .removed),
    ]

    @Test("etcd goes only when nobody else needs it", arguments: fates)
    private func fate(
        what: String, nodes: [Node], postgres: Bool, etcd: Bool, fate: EtcdRemains.Fate
    ) {
        let removal = ClusterConfiguration.Removal(isProtected: false, postgres: postgres, etcd: etcd)
        #expect(EtcdRemains(nodes: nodes).fate(removing: removal) == fate, "\(what)")
    }

    @Test("the identity is that in etcd, or of a database, as long as there is one")
    func identity() {
        var found = Self.alive
        #expect(found.identity == "111")
        found.storedSystem = nil
        found.members[0].directory = .empty
        #expect(found.identity == "111")
        found.members[1].directory = .empty
        #expect(found.identity == nil)
    }

    @Test("the protection is lifted in the inventory, not on the command line")
    func protection() throws {
        #expect(try Sample.configuration().removal.isProtected)
        let open = try Sample.configuration(
            Sample.text(Sample.variables + ["cluster_protected: false", "remove_etcd: false"])
        ).removal
        #expect(!open.isProtected)
        #expect(open.postgres)
        #expect(!open.etcd)
    }

    @Test(
        "no form of the command line lifts the protection",
        arguments: [
            ("", ["cluster_protected=false"]), ("", ["{cluster_protected: false}"]), ("", ["@FOLDER/more.yml"]),
            ("'{{ gone }}'", ["gone=false"]), ("'{{ gone }}'", ["@FOLDER/gone.yml"]),
            ("'{{ once }}'", ["gone=false"]), ("\"{{ hostvars['pg1']['once'] }}\"", ["gone=false"]),
            ("'{{ choices[which] }}'", ["which=1"]), ("'{{ choices[0] }}'", ["choices=[false]"]),
            ("'fa{{ end }}'", ["end=lse"]),
        ])
    func protectionFromCommandLine(value: String, extra: [String]) throws {
        let variables = ["once: '{{ gone }}'", "gone: true", "choices: [true, false]", "which: 0", "end: lse"]
        let directory = try TemporaryDirectory([
            "hosts.yml": Sample.text(
                Sample.variables + variables + (value.isEmpty ? [] : ["cluster_protected: \(value)"])),
            "more.yml": "cluster_protected: false", "gone.yml": "gone: false",
        ])
        let inventory = try Inventory.load(
            file: directory.path + "/hosts.yml",
            extraVariables: extra.map { text in text.hasPrefix("@") ? "@\(directory.path)\(text.dropFirst(7))" : text })
        let diagnostics = #expect(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        #expect(
            diagnostics?.description.contains(
                "cluster_protected is not taken from the command line; "
                    + "set it in the inventory, under the vars of 'all'") == true)
    }
}
