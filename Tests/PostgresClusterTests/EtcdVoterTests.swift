import Engine
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("The vote of a member of etcd")
struct EtcdVoterTests {
    private static let first = EtcdEndpoint(address: "10.0.0.1")

    private static func voter(joins: Bool = false, voters: [EtcdEndpoint] = [first]) -> EtcdVoter {
        EtcdVoter(node: EtcdPeer(name: "pg4", url: "http://10.0.0.4:2380"), voters: voters, joins: joins)
    }

    private static let rows: [(member: String, isAdded: Bool, count: Int)] = [
        ("", false, 0), ("", true, 1),
        (#",{"name":"pg4","peerURLs":["http://10.0.0.4:2380"]}"#, false, 0),
        (#",{"name":"pg4","peerURLs":["http://10.0.0.4:2380"],"isLearner":true}"#, false, 1),
        (#",{"peerURLs":["http://10.0.0.4:2380"],"isLearner":true}"#, true, 1),
    ]

    @Test("is given to who has none, or is being added", arguments: rows)
    func decision(member: String, isAdded: Bool, count: Int) throws {
        var facts = Facts()
        let list = #"{"members":[{"name":"pg1","peerURLs":["http://10.0.0.1:2380"]}\#(member)]}"#
        facts.record(.init(status: 200, body: list), to: EtcdStatus.members(at: Self.first))
        let pending = PendingEffects(isAdded ? [.writes(EtcdInitialCluster.path)] : [])
        #expect(try Self.voter(joins: isAdded).changes(given: facts, after: pending).count == count)
    }

    @Test("is had by all in a new cluster")
    func newCluster() throws {
        #expect(try Self.voter(voters: []).changes(given: Facts(), after: PendingEffects()).isEmpty)
    }

    @Test("is asked for until etcd gives it, and no more when somebody else has seen to it", arguments: [0, 2, 5])
    func promotion(refusals: Int) async throws {
        let pending = PendingEffects([.writes(EtcdInitialCluster.path)])
        var facts = Facts()
        facts.record(.init(status: 0, body: ""), to: EtcdStatus.members(at: Self.first))
        let change = try #require(Self.voter(joins: true).changes(given: facts, after: pending).first)
        let folder = try TemporaryDirectory(["asked": ""])
        let run = try await ShellRun.of(
            """
            set -e
            systemctl() { false; }
            sleep() { :; }
            etcdctl() {
                case "$*" in
                'member list')
                    echo '1a, started, pg1, http://10.0.0.1:2380, http://10.0.0.1:2379, false'
                    [ "$(wc -l <\(folder.path)/asked)" -ge 4 ] || echo '2b, started, pg4, http://10.0.0.4:2380, , true' ;;
                'member promote 2b')
                    echo >>\(folder.path)/asked
                    [ "$(wc -l <\(folder.path)/asked)" -gt \(refusals) ] ;;
                *) exit 9 ;;
                esac
            }
            \(change.script.reveal())
            wc -l <\(folder.path)/asked
            """)
        #expect(run.output.linesOfText.last == "\(min(refusals + 1, 4))", "\(run)")
    }
}
