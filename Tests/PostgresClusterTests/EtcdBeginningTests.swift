import Engine
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("The beginning of a member of etcd")
struct EtcdBeginningTests {
    private static func beginning(
        after first: (String, EtcdEndpoint)? = nil, joining present: [EtcdEndpoint] = []
    ) -> EtcdBeginning {
        EtcdBeginning(
            node: EtcdPeer(name: "pg4", url: "http://10.0.0.4:2380"), token: "t", dataDirectory: "/d",
            newCluster: File(EtcdInitialCluster.path, containing: "new"), first: first, present: present)
    }

    private static let beginnings: [(hasLog: Bool, joins: Bool, summaries: [String])] = [
        (true, false, []), (true, true, []), (false, false, ["write /etc/default/etcd.initial"]),
        (false, true, ["add pg4 to etcd"]),
    ]

    @Test("it is told with whom it begins only as long as it has not begun", arguments: beginnings)
    func begins(hasLog: Bool, joins: Bool, summaries: [String]) throws {
        let beginning = Self.beginning(joining: joins ? [EtcdEndpoint(address: "10.0.0.1")] : [])
        var facts = Facts()
        let log = FileStatus.Attributes(
            kind: .directory, mode: 0o700, owner: "etcd", group: "etcd", modified: Timestamp(nanoseconds: 1))
        facts.record(hasLog ? log : nil, to: FileStatus("/d/member/wal"))
        for question in beginning.newCluster.questions {
            if let status = question as? FileStatus { facts.record(nil, to: status) }
            if let content = question as? FileContent { facts.record(.absent, to: content) }
        }
        let changes = try beginning.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == summaries)
        #expect(changes.allSatisfy { $0.isDisturbing == joins })
    }

    @Test("in a new cluster the others begin when the first one answers, and do not wait for it for ever")
    func givesWay() async throws {
        var facts = Facts()
        facts.record(nil, to: FileStatus("/d/member/wal"))
        facts.record(
            .init(kind: .file, mode: 0o644, owner: "root", group: "root", modified: Timestamp(nanoseconds: 1)),
            to: FileStatus(EtcdInitialCluster.path))
        facts.record(.asExpected, to: FileContent(EtcdInitialCluster.path, expected: "new"))
        let beginning = Self.beginning(after: ("pg1", EtcdEndpoint(address: "10.0.0.1")))
        let changes = try beginning.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == ["let pg1 begin first"])
        #expect(changes.map(\.isWaiting) == [true])
        let folder = try TemporaryDirectory()
        for (answers, asked) in [("[ -e answered ]", 2), ("false", 5)] {
            let run = try await ShellRun.of(
                """
                cd \(folder.path)
                set -e
                curl() { echo "$*" >>calls; \(answers) || { : >answered; false; }; }
                date() { echo "$(( 100 + $(wc -l <calls 2>/dev/null || echo 0) ))"; }
                sleep() { :; }
                \(changes.map { $0.script.reveal() }.joined())
                cat calls; rm calls
                """)
            #expect(run.status == 0)
            #expect(run.output.linesOfText.count == asked, "\(run)")
            #expect(run.output.contains("http://10.0.0.1:2380/members"))
        }
    }

    @Test(
        "a new cluster is waited for until its members agree on its version, by which Patroni chooses its API for good")
    func version() async throws {
        let cluster = try Sample.cluster()
        let condition = cluster.etcdHasQuorum(at: EtcdEndpoint(address: "10.0.0.1"))
        var facts = Facts()
        for case let question as HTTPResponse in condition.questions {
            facts.record(.init(status: 0, body: ""), to: question)
        }
        let script = try condition.changes(given: facts, after: PendingEffects()).map { $0.script.reveal() }.joined()
        let folder = try TemporaryDirectory()
        let run = try await ShellRun.of(
            """
            cd \(folder.path)
            curl() {
                case $* in
                */health) echo '{"health":"true"}' ;;
                */version)
                    echo asked >>calls
                    [ "$(wc -l <calls)" -gt 2 ] && version=3.4.0 || version=3.0.0
                    echo "{\\"etcdserver\\":\\"3.4.23\\",\\"etcdcluster\\":\\"$version\\"}" ;;
                esac
            }
            systemctl() { false; }
            sleep() { :; }
            \(script)
            wc -l <calls
            """)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.linesOfText.last == "3", "\(run)")
    }

    @Test("the first one is whom the others ask first")
    func first() throws {
        let cluster = try Sample.cluster()
        for (node, first) in zip(cluster.configuration.etcd, [nil, "pg1", "pg1"]) {
            let beginning = try #require(
                try cluster.etcd(on: node.host).compactMap { ($0 as? Declared)?.resource as? EtcdBeginning }.first)
            #expect(beginning.first?.name == first)
        }
    }

    /// What etcd answers to the first attempt to add a member.
    enum FirstAnswer: String, CaseIterable {
        case added
        case known
        case unhealthy = "Error: etcdserver: unhealthy cluster"
        case refused = "Error: etcdserver: too many learner members in cluster"
    }

    @Test("a running cluster is joined one at a time, and not twice", arguments: FirstAnswer.allCases)
    func joins(_ answer: FirstAnswer) async throws {
        var facts = Facts()
        facts.record(nil, to: FileStatus("/d/member/wal"))
        let beginning = Self.beginning(joining: ["10.0.0.1", "10.0.0.2"].map { EtcdEndpoint(address: $0) })
        let script = try #require(beginning.changes(given: facts, after: PendingEffects()).first).script.reveal()
        let folder = try TemporaryDirectory([
            "added": answer == .known ? "yes" : "",
            "refusal": answer.rawValue.hasPrefix("Error") ? answer.rawValue : "",
        ])
        let run = try await ShellRun.of(
            """
            set -e
            keep() { :; }
            etcdctl() {
                echo "$@" >>\(folder.path)/calls
                case "$*" in
                'member add'*)
                    if [ -s \(folder.path)/refusal ]; then
                        cat \(folder.path)/refusal >&2
                        : >\(folder.path)/refusal
                        return 1
                    fi
                    echo yes >\(folder.path)/added ;;
                'member list')
                    echo '1a, started, pg1, http://10.0.0.1:2380, http://10.0.0.1:2379, false'
                    [ ! -s \(folder.path)/added ] || echo '2b, unstarted, , http://10.0.0.4:2380, , false' ;;
                esac
            }
            \(script.replacing("/etc/default/etcd.initial", with: "\(folder.path)/initial"))
            echo "$ETCDCTL_ENDPOINTS"; cat \(folder.path)/calls \(folder.path)/initial
            """)
        let add = "member add pg4 --peer-urls=http://10.0.0.4:2380 --learner"
        if answer == .refused {
            #expect(run.status != 0)
            #expect(run.output.linesOfText == [answer.rawValue], "\(run)")
            return
        }
        #expect(
            run.output.linesOfText == [
                "http://10.0.0.1:2379,http://10.0.0.2:2379", "endpoint health", "member list",
            ] + (answer == .known ? [] : answer == .added ? [add] : [add, "member list", add]) + [
                "member list", "# Written by Drover. Read only while the data directory is empty.",
                "ETCD_INITIAL_CLUSTER=pg1=http://10.0.0.1:2380,pg4=http://10.0.0.4:2380",
                "ETCD_INITIAL_CLUSTER_TOKEN=t",
                "ETCD_INITIAL_CLUSTER_STATE=existing",
            ], "\(run)")
    }

    private static let lists: [(list: String, joins: [String])] = [
        ("[]", []),
        (#"[{"name":"pg1","peerURLs":["http://10.0.0.1:2380"]}]"#, ["10.0.0.1"]),
        (#"[{"name":"pg1","peerURLs":["http://10.0.0.1:2380"]},{"peerURLs":["http://10.9.0.3:2380"]}]"#, ["10.0.0.1"]),
        (
            #"[{"name":"pg1","peerURLs":["http://10.0.0.1:2380"]},{"name":"pg3","peerURLs":["http://10.9.0.3:2380"]}]"#,
            []
        ),
    ]

    @Test("whom it joins is told by etcd", arguments: lists)
    func joined(list: String, joins: [String]) throws {
        let cluster = try Sample.cluster { observed, configuration in
            let first = configuration.etcd[0]
            observed[first.host].record(
                .init(status: 200, body: #"{"members":\#(list)}"#),
                to: EtcdStatus.members(at: EtcdEndpoint(address: first.address)))
        }
        #expect(cluster.etcdToJoin(for: cluster.configuration.etcd[2]).map(\.address) == joins)
    }
}
