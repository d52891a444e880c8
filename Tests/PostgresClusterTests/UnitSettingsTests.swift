import Engine
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Settings of units")
struct UnitSettingsTests {
    private static let expected = ["etcd", "patroni", "pgbouncer", "keepalived"].map {
        "drop-in drover of \($0).service"
    }

    /// The drop-ins of a host, before its packages and beside its daemons.
    private func dropIns(isInstalled: Bool?) throws -> (before: [String], beside: [String]) {
        let variables = Sample.variables + ["cluster_vip: 10.0.0.100"]
        let cluster = try Sample.cluster(Sample.text(variables)) { observed, configuration in
            guard let isInstalled else { return }
            for package in ["etcd-server", "patroni", "pgbouncer", "keepalived"] {
                observed[configuration.members[1].host].record(
                    .init(version: isInstalled ? "1" : nil), to: PackageStatus(package))
            }
        }
        let host = cluster.configuration.members[1].host
        func names(_ resources: [any Resource]) -> [String] {
            resources.map(\.name).filter { $0.hasPrefix("drop-in ") }
        }
        let preparation = try cluster.preparation(on: host)
        #expect(preparation.last?.name.hasPrefix("packages ") == true)
        return (
            names(preparation),
            try names(
                cluster.etcd(on: host) + cluster.patroni(on: host) + cluster.pgbouncer(on: host)
                    + cluster.keepalived(on: host))
        )
    }

    @Test("are written before the package that brings the unit, and later beside the others of its daemon")
    func places() throws {
        let new = try dropIns(isInstalled: false)
        #expect(new.before == Self.expected)
        #expect(new.beside == [])
        for isInstalled in [true, nil] {
            let present = try dropIns(isInstalled: isInstalled)
            #expect(present.before == [])
            #expect(present.beside == Self.expected)
        }
    }
}
