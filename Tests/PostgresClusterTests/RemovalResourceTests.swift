import Engine
import FoundationEssentials
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Resources of a removal")
struct RemovalResourceTests {
    private func facts<F: Fact>(_ answer: F.Answer, to question: F) -> Facts {
        var facts = Facts()
        facts.record(answer, to: question)
        return facts
    }

    private func summaries(_ resource: some Resource, _ facts: Facts) throws -> [String] {
        try resource.changes(given: facts, after: PendingEffects()).map(\.summary)
    }

    private static let places = DataPlaces.Answer(
        places: [.init(path: "/srv/m", isMountPoint: true), .init(path: "/srv/s"), .init(path: "/d")],
        setAside: ["/d.removed-1T1Z"])

    private static let rows: [(answer: DataPlaces.Answer, deletes: Bool, summaries: [String])] = [
        (.init(), false, []), (.init(), true, []), (.init(setAside: ["/d.removed-1T1Z"]), false, []),
        (places, false, ["set aside /srv/m, /srv/s, /d as *.removed-<UTC time>"]),
        (
            places, true,
            [
                "delete what is in /srv/m for ever", "delete /srv/s for ever", "delete /d for ever",
                "delete /d.removed-1T1Z for ever",
            ]
        ),
    ]

    @Test("data is set aside or deleted, the data directory last", arguments: rows)
    func data(answer: DataPlaces.Answer, deletes: Bool, summaries: [String]) throws {
        let resource = SetAside(directory: "/d", deletes: deletes)
        #expect(try self.summaries(resource, facts(answer, to: DataPlaces(path: "/d"))) == summaries)
    }

    @Test("data is not touched while a link of it leads elsewhere", arguments: [false, true])
    func unfit(deletes: Bool) throws {
        let unfit = DataPlaces.Unfit(path: "/etc", reason: "it is a directory of the system")
        let answer = DataPlaces.Answer(places: [.init(path: "/d")], unfit: [unfit])
        let refusal = try #require(throws: Refusal.self) {
            try summaries(SetAside(directory: "/d", deletes: deletes), facts(answer, to: DataPlaces(path: "/d")))
        }
        #expect(refusal.reason.contains("a link in /d leads to /etc"), "\(refusal)")
    }

    @Test("what is set aside has one time, is not found any more, and can be deleted later", arguments: [false, true])
    func renaming(deletesAtOnce: Bool) async throws {
        let directory = try TemporaryDirectory(["main/PG_VERSION": "15", "it's space/PG_15/1": ""])
        let made = try await ShellRun.of(
            "cd '\(directory.path)' && mkdir main/pg_tblspc && ln -s \"$PWD/it's space\" main/pg_tblspc/1")
        try #require(made == .silent)
        let user = ProcessInfo.processInfo.userName
        let question = DataPlaces(path: "\(directory.path)/main", user: user)
        func carryOut(deletes: Bool) async throws -> Int {
            let asked = try await ShellRun.of(DataPlaces.script(for: [question]).reveal())
            let answer = try #require(try DataPlaces.answers(to: [question], from: asked.output)[question])
            let changes = try SetAside(directory: question.path, user: user, deletes: deletes).changes(
                given: facts(answer, to: question), after: PendingEffects())
            for change in changes {
                #expect(
                    try await ShellRun.of("journal=\n\(JournalScript.functions)set -e\n" + change.script.reveal())
                        == .silent)
            }
            return changes.count
        }
        if !deletesAtOnce {
            #expect(try await carryOut(deletes: false) == 1)
            let names = try await ShellRun.of(
                "cd '\(directory.path)' && ls | sed 's/.*removed-//' | sort -u | wc -l; ls")
            #expect(names.output.hasPrefix("1\n"), "\(names.output)")
            #expect(names.output.contains("it's space.removed-2"), "\(names.output)")
            #expect(try await carryOut(deletes: false) == 0)
        }
        #expect(try await carryOut(deletes: true) == 2)
        #expect(try await ShellRun.of("ls '\(directory.path)'") == .silent)
        #expect(try await carryOut(deletes: true) == 0)
    }

    @Test("PostgreSQL is ended where it works, and nowhere else", arguments: [true, false])
    func postmaster(works: Bool) throws {
        let resource = NoPostmaster(directory: "/d", binaryDirectory: "/b")
        #expect(
            try summaries(resource, facts(works, to: Postmaster(directory: "/d")))
                == (works ? ["end PostgreSQL in /d"] : []))
    }

    @Test("the address is taken from who holds it", arguments: [true, false])
    func address(holds: Bool) throws {
        let resource = NoAddress(address: "10.0.0.100", prefix: 24, interface: "eth0")
        let addresses: Set = holds ? ["10.0.0.1", "10.0.0.100"] : ["10.0.0.1"]
        let facts = facts(addresses, to: HostAddresses())
        #expect(try summaries(resource, facts) == (holds ? ["take 10.0.0.100 away"] : []))
        #expect(try resource.essence(given: facts) == "\(holds)")
    }

    @Test(
        "the keys of the cluster are deleted where there are any",
        arguments: [
            (200, #"{"kvs":[{"key":"L3NlcnZpY2UvZGVtby9sZWFkZXI="}],"count":"1"}"#, 1),
            (200, #"{"header":{"cluster_id":"1"}}"#, 0), (0, "", 0), (503, "{}", 0),
        ])
    func keys(status: Int, body: String, count: Int) throws {
        let resource = ForgottenCluster(path: "/service/demo/", speaker: EtcdEndpoint(address: "10.0.0.1"))
        let facts = facts(
            .init(status: status, body: body),
            to: EtcdStatus.keys(under: "/service/demo/", at: EtcdEndpoint(address: "10.0.0.1")))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(
            changes.map(\.summary) == Array(repeating: "delete the keys under /service/demo/ in etcd", count: count))
        #expect(changes.allSatisfy { $0.script.reveal().contains("del --prefix /service/demo/ >") })
        #expect(try resource.essence(given: facts) == "\(count)")
    }

    @Test("somebody who writes again is a failure")
    func writesAgain() async throws {
        let resource = ForgottenCluster(path: "/service/demo/", speaker: EtcdEndpoint(address: "10.0.0.1"))
        let facts = facts(
            .init(status: 200, body: #"{"kvs":[{"key":"L3NlcnZpY2UvZGVtby9sZWFkZXI="}]}"#),
            to: EtcdStatus.keys(under: "/service/demo/", at: EtcdEndpoint(address: "10.0.0.1")))
        let script = try #require(try resource.changes(given: facts, after: PendingEffects()).first).script.reveal()
        for (answer, status) in [("", Int32(0)), ("/service/demo/leader", 1)] {
            let run = try await ShellRun.of("etcdctl() { [ \"$2\" = del ] || echo '\(answer)'; }\nset -e\n\(script)")
            #expect(run.status == status, "\(run)")
        }
    }

    @Test("every file that a deployment writes is taken away")
    func files() throws {
        let cluster = try Sample.cluster(Sample.text(Sample.variables + ["cluster_vip: 10.0.0.100"]))
        let host = cluster.configuration.members[1].host
        let resources =
            try cluster.preparation(on: host) + cluster.etcd(on: host) + cluster.patroni(on: host)
            + cluster.pgbouncer(on: host) + cluster.haproxy(on: host) + cluster.keepalived(on: host)
        let written = resources.compactMap { ($0 as? Declared)?.resource }
            .flatMap { resource in
                resource is PatroniCorrection
                    ? PatroniCorrection.paths
                    : [(resource as? File)?.path ?? (resource as? UnitDropIn)?.path].compactMap(\.self)
            }
        #expect(written.count == 17)
        #expect(Set(cluster.files(of: host) + cluster.etcdFiles).isSuperset(of: written))
        let plain = try Sample.cluster().files(of: host)
        #expect(!plain.contains("/etc/keepalived/keepalived.conf"))
        #expect(cluster.files(of: cluster.configuration.members[2].host).contains("/etc/haproxy/haproxy.cfg") == false)
    }

    @Test("and so is what a member has because of the backups")
    func backupFiles() throws {
        let cluster = try Sample.cluster(BackupSample.text())
        let host = cluster.configuration.members[1].host
        let resources = try cluster.pgbackrest(on: host) + cluster.backupTimers(on: host)
        let written = resources.compactMap { (($0 as? Declared)?.resource as? File)?.path }
        #expect(written.count == 3)
        #expect(Set(cluster.files(of: host)).isSuperset(of: written))
        let repository = try #require(cluster.repositoryHost.first)
        #expect(cluster.files(of: repository) == [Cluster.sharedFile])
    }

    @Test("and so is what tells that a host has run the inventory's own commands")
    func commandMarks() throws {
        let cluster = try Sample.cluster(
            Sample.text(Sample.variables + ["pre_deploy_command: 'true'", "post_deploy_command: 'true'"]))
        let files = cluster.files(of: cluster.configuration.hosts[0])
        #expect(files.contains("/var/lib/drover/commands/pre_deploy"))
        #expect(files.contains("/var/lib/drover/commands/post_deploy"))
    }

    @Test("a remark changes nothing")
    func remark() {
        #expect(Remark("why").changes(given: Facts(), after: PendingEffects()) == [])
        #expect(Remark("why").notices(given: Facts()) == ["why"])
    }
}
