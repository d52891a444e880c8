import DroverCLI
import Engine
import Testing

@testable import ClusterCLI
@testable import PostgresCluster

@Suite("Watch of a cluster")
struct WatchViewTests {
    private func state(_ status: ClusterStatus) -> WatchState {
        var state = WatchState()
        state.take(.success(status), at: status.time)
        return state
    }

    private func text(_ state: WatchState, after seconds: Int = 2, width: Int = 80) -> String {
        WatchView(state: state, now: SampleStatus.time + seconds).lines(width: width).map {
            String($0.text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    @Test("a healthy cluster in 80 columns")
    func healthy() {
        #expect(
            text(state(SampleStatus.healthy)) == """
                Cluster demo  healthy                             10:00:00 UTC, 2 s ago  q quits

                member  role          state      timeline  lag             clients  pooler
                pg1     leader        running    3                         12/100   answers
                pg2     sync standby  streaming  3         0 B             12/100   answers
                pg3     replica       streaming  3         4096 B  █       12/100   answers

                etcd     3 of 3 healthy: pg1 pg2 pg3
                VIP      10.0.0.100 at pg1

                balancer  haproxy  leader  replicas
                pg1       serves   pg1     pg2 pg3
                pg2       serves   pg1     pg2 pg3
                pg3       serves   pg1     pg2 pg3

                No problems found.
                """)
    }

    @Test("a cluster without a leader, and findings that are longer than the lines")
    func leaderDown() {
        let text = text(state(SampleStatus.leaderDown), width: 50)
        for line in [
            "Cluster demo  2 critical, 1 warning", "pg1     -        unknown  -         -            -        -",
            "etcd     2 of 3 healthy; not pg1", "pg1       silent   -       -",
            "critical  0 members lead the cluster, not one", "          → look at the journals of patroni",
            "            (runbook: no-leader)",
        ] {
            #expect(text.contains(line), "\(text)")
        }
    }

    @Test("where there is no room, the remedies go first")
    func height() {
        func texts(_ height: Int) -> [String] {
            WatchView(state: state(SampleStatus.leaderDown), now: SampleStatus.time).lines(width: 80, height: height)
                .map(\.text)
        }
        let all = texts(.max)
        #expect(texts(all.count) == all && all.contains { $0.contains("→") })
        let short = texts(all.count - 1)
        #expect(short == all.filter { !$0.contains("→") })
        #expect(short.contains { $0.contains("etcd on pg1 is not healthy") })
    }

    @Test("the VIP, the pooler and the backups when they are not well")
    func parts() {
        var status = SampleStatus.noQuorum
        status.holders = []
        status.backups = BackupStatus(leader: nil, told: nil)
        #expect(text(state(status)).contains("VIP      10.0.0.100, which no host holds"))
        #expect(text(state(status)).contains("backups  0  WAL archive not healthy"))
        status.holders = ["pg1", "pg2"]
        #expect(text(state(status)).contains("VIP      10.0.0.100 at pg1 and pg2"))
    }

    @Test("an observation that fails is shown, and the last one stays with its age")
    func failure() {
        var state = state(SampleStatus.healthy)
        state.take(.failure(Refusal("pg1: no route\npg2: no route", remedies: [])), at: SampleStatus.time + 30)
        let text = text(state, after: 42)
        #expect(text.contains("42 s ago"))
        #expect(text.contains("the observation failed 12 s ago: pg1: no route\n  pg2: no route\n"), "\(text)")
        #expect(text.contains("pg2     sync standby"))
        state.take(.success(SampleStatus.healthy), at: SampleStatus.time)
        #expect(!self.text(state).contains("failed"))
    }

    @Test("before the first answer, and when hosts take long")
    func waiting() {
        var state = WatchState()
        #expect(text(state).contains("asking the hosts"))
        state.begin(at: SampleStatus.time)
        #expect(!text(state, after: 5).contains("waiting"))
        #expect(text(state, after: 9).contains("waiting for hosts since 9 s"))
        state.take(.failure(Refusal("none answers", remedies: [])), at: SampleStatus.time + 10)
        #expect(text(state, after: 10).contains("the observation failed 0 s ago: none answers"))
    }

    @Test(
        "a bar grows with the lag",
        arguments: [
            (nil, 0), (0, 0), (1, 1), (16_383, 1), (16_384, 2), (1_048_576, 3), (73_400_320, 5), (1_073_741_824, 6),
            (Int.max, 6),
        ] as [(Int?, Int)])
    func bar(lag: Int?, cells: Int) {
        #expect(WatchView.bar(lag) == String(repeating: "█", count: cells))
    }

    @Test("every line fits 80 and 200 columns", arguments: [80, 200])
    func width(columns: Int) {
        for status in [SampleStatus.healthy, SampleStatus.leaderDown, SampleStatus.lagging, SampleStatus.noQuorum] {
            let lines = WatchView(state: state(status), now: status.time).lines(width: columns)
            #expect(lines.allSatisfy { DisplayWidth.of($0.text) <= columns }, "\(lines.map(\.text))")
        }
    }
}
