import Diagnostics
import Inventory
import Secrets
import Testing

@testable import PostgresCluster

@Suite("Cluster configuration")
struct ConfigurationTests {
    @Test("takes customary values for what is not said")
    func defaults() throws {
        let configuration = try Sample.configuration()
        #expect(configuration.name == "demo")
        #expect(configuration.path == "/service/demo/")
        #expect(configuration.members.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(configuration.members.map(\.address) == ["10.0.0.1", "10.0.0.2", "10.9.0.3"])
        #expect(configuration.hosts.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(configuration.postgres.port == 5432)
        #expect(configuration.postgres.dataDirectory == "/var/lib/postgresql/15/main")
        #expect(configuration.patroni.superuser.name == "postgres")
        #expect(configuration.patroni.superuser.password.reveal() == "super-pw")
        #expect(configuration.balancing.address == nil)
        #expect(configuration.balancing.ports == .init(leader: 5000, replicas: 5001, statistics: 7000))
        #expect(configuration.users == [])
    }

    @Test("takes what is empty for not said, as the inventories of autobase have it")
    func empty() throws {
        let configuration = try Sample.configuration(
            Sample.text(Sample.variables + ["cluster_vip: ''", "timezone: ''"]))
        #expect(configuration.balancing.address == nil)
        #expect(configuration.system.timeZone == nil)
    }

    @Test("decodes what is said")
    func said() throws {
        let configuration = try Sample.configuration(
            Sample.text(
                Sample.variables + [
                    "cluster_vip: 10.0.0.100", "haproxy_listen_port: { master: 6000, stats: 9000 }",
                    "pgbouncer_pool_mode: transaction", "synchronous_mode: true",
                    "postgresql_users: [{ name: app, password: pw, flags: [CREATEDB] }, { name: b, password: 'x' }]",
                    "postgresql_databases: [{ db: app, owner: app }]",
                    "postgresql_parameters: [{ option: max_connections, value: 200 }, { option: work_mem, value: 4MB }]",
                ]))
        #expect(configuration.balancing.address == "10.0.0.100")
        #expect(configuration.balancing.routerID == 100)
        #expect(
            configuration.balancing.ports
                == .init(
                    leader: 6000, replicas: 5001, synchronous: 5002, asynchronous: 5003, statistics: 9000,
                    namesStatistics: true))
        #expect(configuration.pooler.mode == .transaction)
        #expect(configuration.patroni.synchronous == .init(isOn: true, isStrict: false, count: 1))
        #expect(configuration.users.map(\.flags) == [[.createDatabase], []])
        #expect(configuration.databases == [.init(name: "app", owner: "app")])
        #expect(configuration.postgres.parameters.map(\.value) == ["200", "4MB"])
        #expect(configuration.postgres.parameters.map(\.isClusterWide) == [true, false])
    }

    @Test(
        "takes the connections of HAProxy as one number, or as the mapping of autobase",
        arguments: [
            ([], .init(global: nil, leader: 10_000, replicas: 10_000)),
            (
                ["haproxy_maxconn: 500", "haproxy_maxconn_global: 700"],
                .init(global: 700, leader: 500, replicas: 500)
            ),
            (
                ["haproxy_maxconn: { global: 100000, master: 300, replica: 400 }"],
                .init(global: 100_000, leader: 300, replicas: 400)
            ),
            (["haproxy_maxconn: { replica: 400 }"], .init(global: nil, leader: 10_000, replicas: 400)),
        ] as [([String], ClusterConfiguration.Balancing.Limits)])
    func limits(variables: [String], expected: ClusterConfiguration.Balancing.Limits) throws {
        let text = Sample.text(Sample.variables + variables)
        #expect(try Sample.configuration(text).balancing.limits == expected)
        let cluster = try Sample.cluster(text)
        let file = try GoldenTests.content(
            of: "/etc/haproxy/haproxy.cfg", in: cluster.haproxy(on: cluster.configuration.balancers[0].host))
        let found = file.matches(of: /maxconn ([0-9]+)/).map { $0.output.1 }
        #expect(found == [expected.global, expected.leader, expected.replicas].compactMap { $0.map { "\($0)" } })
        #expect(file.contains("    fd-hard-limit 40100\n") == (expected.global == nil))
    }

    @Test("the timers of a preset suit each other, and each can be said apart")
    func presets() throws {
        let fast = try Sample.configuration(
            Sample.text(Sample.variables + ["patroni_preset: fast", "patroni_retry_timeout: 4"]))
        #expect([fast.patroni.ttl, fast.patroni.loopWait, fast.patroni.retryTimeout] == [20, 5, 4])
        #expect(fast.patroni.primaryStartTimeout == 15)
        #expect(fast.balancing.checkInterval == 1000)
        for preset in ClusterConfiguration.Patroni.Preset.allCases {
            let timers = ClusterConfiguration.Patroni.Timers(preset)
            #expect(timers.ttl >= timers.loopWait + 2 * timers.retryTimeout)
        }
    }

    @Test("tags are those of one member, slots those of the cluster")
    func tagsAndSlots() throws {
        let text = Sample.text(
            Sample.variables + ["patroni_slots: [{ slot: feed, type: logical, database: app, plugin: pgoutput }]"])
        let configuration = try Sample.configuration(
            text.replacing(
                "pg2: { ansible_host", with: "pg2: { patroni_tags: 'nofailover=true, nosync=True', ansible_host"))
        #expect(configuration.patroni.tags["pg1"] == .init())
        #expect(configuration.patroni.tags["pg2"] == .init(nofailover: true, nosync: true))
        #expect(
            configuration.patroni.slots == [.init(name: "feed", kind: .logical, database: "app", plugin: "pgoutput")])
    }

    @Test("the inventory of the lab is valid")
    func lab() throws {
        let configuration = try ClusterConfiguration(
            Inventory.load(file: Sample.folder("inventory") + "/lab.yml"))
        #expect(configuration.name == "lab")
        #expect(configuration.members.map(\.address) == ["10.70.0.11", "10.70.0.12", "10.70.0.13"])
        #expect(configuration.balancers.count == 3)
    }

    @Test("a balancer's variable may differ from host to host")
    func ownAddress() throws {
        let configuration = try Sample.configuration()
        #expect(configuration.etcd[2].address == "10.9.0.3")
        #expect(configuration.etcd[2].host.address == "10.0.0.3")
    }
}
