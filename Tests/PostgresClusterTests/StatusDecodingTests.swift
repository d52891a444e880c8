import SystemResources
import Testing

@testable import PostgresCluster

/// What the daemons answer, as it was recorded from Patroni 3.0.2, etcd 3.4 and HAProxy 2.6.
enum Recorded {
    static let leader = #"""
        {"state": "running", "postmaster_start_time": "2026-11-22 05:56:25.123456+00:00", "role": "master", \#
        "server_version": 150008, "xlog": {"location": 83886080}, "timeline": 2, "replication": [{"usename": \#
        "replicator", "application_name": "pg2", "client_addr": "10.0.0.2", "state": "streaming", "sync_state": \#
        "async", "sync_priority": 0}], "dcs_last_seen": 1795327000, "database_system_identifier": \#
        "7301234567890123456", "patroni": {"version": "3.0.2", "scope": "demo"}}
        """#

    static let starting = #"""
        {"state": "starting", "role": "replica", "dcs_last_seen": 1795327000, "database_system_identifier": \#
        "7301234567890123456", "patroni": {"version": "3.0.2", "scope": "demo"}}
        """#

    static let cluster = #"""
        {"members": [{"name": "pg1", "role": "replica", "state": "running", "api_url": \#
        "http://10.0.0.1:8008/patroni", "host": "10.0.0.1", "port": 5432, "timeline": 2, "lag": 1048576}, \#
        {"name": "pg2", "role": "leader", "state": "running", "api_url": "http://10.0.0.2:8008/patroni", \#
        "host": "10.0.0.2", "port": 5432, "timeline": 2}, {"name": "pg3", "role": "sync_standby", "state": \#
        "stopped", "api_url": "http://10.9.0.3:8008/patroni", "host": "10.9.0.3", "port": 5432, "lag": "unknown"}]}
        """#

    static let etcdHealthy = #"{"health":"true"}"#
    static let etcdSick = #"{"health":"false"}"#
    static let etcdKey = #"""
        {"header":{"cluster_id":"14841639068965178418","member_id":"10276657743932975437","revision":"12",\#
        "raft_term":"2"},"kvs":[{"key":"L3NlcnZpY2UvZGVtby9pbml0aWFsaXpl","create_revision":"5","mod_revision":"6",\#
        "version":"2","value":"NzMwMTIzNDU2Nzg5MDEyMzQ1Ng=="}],"count":"1"}
        """#
    static let etcdNoKey = #"{"header":{"cluster_id":"1","member_id":"2","revision":"1","raft_term":"2"}}"#
    /// Patroni makes the key without a value while it makes the database.
    static let etcdEmptyKey = #"""
        {"header":{"cluster_id":"1"},"kvs":[{"key":"L3NlcnZpY2UvZGVtby9pbml0aWFsaXpl","create_revision":"5",\#
        "mod_revision":"5","version":"1"}],"count":"1"}
        """#

    static let haproxy = """
        # pxname,svname,qcur,qmax,scur,smax,slim,stot,bin,bout,dreq,dresp,ereq,econ,eresp,wretr,wredis,status,weight,
        stats,FRONTEND,,,1,1,8000,2,500,9000,0,0,0,,,,,OPEN,,
        stats,BACKEND,0,0,0,0,800,0,500,9000,0,0,,0,0,0,0,UP,0,
        leader,FRONTEND,,,0,0,4000,0,0,0,0,0,0,,,,,OPEN,,
        leader,pg1,0,0,0,0,,0,0,0,,0,,0,0,0,0,DOWN,1,
        leader,pg2,0,0,0,0,,0,0,0,,0,,0,0,0,0,UP,1,
        leader,pg3,0,0,0,0,,0,0,0,,0,,0,0,0,0,UP 1/3,1,
        leader,BACKEND,0,0,0,0,400,0,0,0,0,0,,0,0,0,0,UP,1,
        replicas,FRONTEND,,,0,0,4000,0,0,0,0,0,0,,,,,OPEN,,
        replicas,pg1,0,0,0,0,,0,0,0,,0,,0,0,0,0,UP,1,
        replicas,pg2,0,0,0,0,,0,0,0,,0,,0,0,0,0,DOWN,1,
        replicas,pg3,0,0,0,0,,0,0,0,,0,,0,0,0,0,UP,1,
        replicas,BACKEND,0,0,0,0,400,0,0,0,0,0,,0,0,0,0,UP,2,

        """
}

@Suite("Status of the daemons")
struct StatusDecodingTests {
    private func answer(_ body: String, status: Int = 200) -> HTTPResponse.Answer { .init(status: status, body: body) }

    @Test("a member of Patroni")
    func own() throws {
        let leader = try #require(answer(Recorded.leader).patroni(PatroniStatus.Own.self))
        #expect(leader.role == "master")
        #expect(leader.patroni.scope == "demo")
        let starting = try #require(answer(Recorded.starting, status: 503).patroni(PatroniStatus.Own.self))
        #expect(starting.patroni.scope == "demo")
        #expect(answer("", status: 0).patroni(PatroniStatus.Own.self) == nil)
        #expect(answer("<html>").patroni(PatroniStatus.Own.self) == nil)
    }

    @Test("the cluster by the word of Patroni")
    func cluster() throws {
        let cluster = try #require(answer(Recorded.cluster).patroni(PatroniStatus.Cluster.self))
        #expect(cluster.members.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(cluster.members.map(\.isLeader) == [false, true, false])
        #expect(cluster.members.map(\.lag) == [.bytes(1_048_576), nil, .unknown])
        #expect(cluster.members.map(\.timeline) == [2, 2, nil])
    }

    @Test("etcd")
    func etcd() throws {
        #expect(answer(Recorded.etcdHealthy).json(EtcdStatus.Health.self)?.health == "true")
        #expect(answer(Recorded.etcdSick).json(EtcdStatus.Health.self)?.health == "false")
        #expect(answer(Recorded.etcdSick, status: 503).json(EtcdStatus.Health.self) == nil)
        #expect(try #require(answer(Recorded.etcdKey).json(EtcdStatus.Range.self)).text == "7301234567890123456")
        #expect(try #require(answer(Recorded.etcdNoKey).json(EtcdStatus.Range.self)).text == nil)
        #expect(try #require(answer(Recorded.etcdEmptyKey).json(EtcdStatus.Range.self)).text == nil)
    }

    @Test("HAProxy")
    func haproxy() {
        let view = HAProxyView(answer(Recorded.haproxy))
        #expect(view.servers.count == 6)
        #expect(view.servers(of: "leader", in: "UP") == ["pg2"])
        #expect(view.servers(of: "replicas", in: "UP") == ["pg1", "pg3"])
        #expect(view.servers(of: "leader", in: "UP 1/3") == ["pg3"])
        #expect(view.servers.filter { $0.listener == "leader" && $0.isUp }.map(\.name) == ["pg2", "pg3"])
        let last = ["L7OK", "* L7OK", "INI", "* INI"].map { check in
            let row = ["leader", "pg1"] + [String](repeating: "", count: 15) + ["UP 1/3"]
            let line = (row + [String](repeating: "", count: 18) + [check]).joined(separator: ",")
            return HAProxyView(answer(line)).servers.map(\.isChecked)
        }
        #expect(last == [[true], [true], [false], [false]])
        #expect(HAProxyView(answer(Recorded.haproxy, status: 503)).servers == [])
        #expect(HAProxyView(answer("<html>\n,,\n")).servers == [])
    }
}
