import Engine
import Testing

@testable import PostgresCluster

@Suite("Configuration files of other topologies")
struct TopologyGoldenTests {
    /// The sample without balancers.
    static let unbalanced = Sample.groups.replacing(
        "    balancers:\n      hosts: { pg1: , pg2: }\n", with: ""
    )

    static let typeB = Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"], groups: unbalanced)

    @Test(
        "where the address follows the leader are as the golden files say",
        arguments: [
            ("/etc/keepalived/keepalived.conf", "leader.keepalived.conf"),
            ("/etc/systemd/system/keepalived.service.d/drover.conf", "keepalived.service.conf"),
            ("/etc/pgbouncer/listen.ini", "leader.pgbouncer.listen.ini"),
        ])
    func followsLeader(path: String, golden: String) throws {
        let cluster = try Sample.cluster(Self.typeB)
        #expect(cluster.configuration.addressFollowsLeader)
        let host = cluster.configuration.members[1].host
        let resources = try cluster.leaderAddress(on: host) + cluster.pgbouncer(on: host)
        let expected = try String(contentsOfFile: Sample.folder("Tests/PostgresClusterTests/Golden") + "/\(golden)")
        let written = try GoldenTests.content(of: path, in: resources)
        #expect(UnifiedDiff(from: expected, to: written).text == [])
        #expect(written == expected)
    }

    @Test("an address that follows the leader needs keepalived and its packets on the members, and no HAProxy")
    func parts() throws {
        let cluster = try Sample.cluster(
            Sample.text(
                Sample.variables + ["cluster_vip: 10.0.0.100", "firewall_enabled_at_boot: true"],
                groups: Self.unbalanced))
        for node in cluster.configuration.members {
            #expect(cluster.packages(of: node.host).contains("keepalived"))
            #expect(!cluster.packages(of: node.host).contains("haproxy"))
            #expect(cluster.packetRules(of: node.host).contains("{ 10.0.0.1, 10.0.0.2, 10.9.0.3 } meta l4proto 112"))
            #expect(
                cluster.configuration.daemonPorts(of: node.host).filter { $0.address == nil }.map(\.daemon) == [
                    "PostgreSQL", "PgBouncer",
                ])
            let patroni = try GoldenTests.content(of: "/etc/patroni/config.yml", in: cluster.patroni(on: node.host))
            #expect(patroni.contains("\n  listen: 0.0.0.0:5432\n"))
        }
    }

    @Test("without an address or balancers nothing holds one")
    func noAddress() throws {
        let cluster = try Sample.cluster(Sample.text(groups: Self.unbalanced))
        #expect(cluster.configuration.addressHolders.isEmpty)
        for node in cluster.configuration.members {
            #expect(!cluster.packages(of: node.host).contains("keepalived"))
            #expect(try cluster.leaderAddress(on: node.host).isEmpty)
            #expect(!cluster.files(of: node.host).contains { $0.contains("keepalived") })
        }
    }
}
