import Testing

@testable import ClusterCLI
import DroverCLI
@testable import PostgresCluster

@Suite("Status text")
struct StatusTextTests {
    private func text(_ status: ClusterStatus) -> String {
        StatusText(status: status, style: Style(isColoured: false)).lines.joined(separator: "\n")
    }

    private func member(
        _ name: String, _ role: String?, _ state: String = "running", timeline: Int? = 1, lag: Int? = nil
    ) -> ClusterStatus.Member {
        .init(name: name, role: role, state: state, timeline: timeline, lag: lag)
    }

    @Test("one screen")
    func screen() {
        let status = ClusterStatus(
            cluster: "demo",
            members: [
                member("pg1", "leader"), member("pg2", "sync_standby", lag: 0),
                member("pg3", nil, "unknown", timeline: nil),
            ],
            etcd: [.init(name: "pg1", isHealthy: true), .init(name: "pg2", isHealthy: false)], address: "10.0.0.100",
            balancers: [
                .init(name: "pg1", isServing: true, leader: ["pg1"], replicas: ["pg2", "pg3"], holdsAddress: true),
                .init(name: "pg2", isServing: false, leader: [], replicas: [], holdsAddress: false),
            ],
            findings: [
                Finding(.memberNotRunning, .critical, "pg3 is unknown", "bring it back"),
                Finding(.lag, .warning, "b", "c"),
                Finding(.pendingRestart, .note, "d", "e"),
            ])
        #expect(
            text(status) == """
                Cluster demo

                member  role          state    timeline  lag
                pg1     leader        running  1
                pg2     sync_standby  running  1         0 B
                pg3     -             unknown  -         -

                etcd  health
                pg1   healthy
                pg2   not healthy

                balancer  haproxy  leader  replicas  10.0.0.100
                pg1       serves   pg1     pg2 pg3   holds
                pg2       silent   -       -

                critical  pg3 is unknown
                          → bring it back
                warning   b
                          → c
                note      d
                          → e
                """)
    }

    @Test("no balancers, nothing to complain about")
    func small() {
        let status = ClusterStatus(
            cluster: "c", members: [member("a", "leader")], etcd: [.init(name: "a", isHealthy: true)], address: nil,
            balancers: [], findings: [])
        #expect(
            text(status) == """
                Cluster c

                member  role    state    timeline  lag
                a       leader  running  1

                etcd  health
                a     healthy

                Nothing to complain about.
                """)
    }

    @Test(
        "lag in words",
        arguments: [
            (0, "0 B"), (10_239, "10239 B"), (10_240, "10 KiB"), (10_485_759, "10239 KiB"), (10_485_760, "10 MiB"),
            (123_456_789_012, "117737 MiB"),
        ])
    func lag(bytes: Int, expected: String) {
        let status = ClusterStatus(
            cluster: "c", members: [member("a", "replica", lag: bytes)], etcd: [], address: nil, balancers: [],
            findings: [])
        #expect(text(status).contains("a       replica  running  1         \(expected)\n"))
    }
}
