public import Engine
public import Inventory
import SystemResources

extension ClusterModel {
    /// What the removal of a balancer asks of a host.
    public func questionsBeforeRemovingBalancer(of host: Host) -> [any Fact] {
        let own = ClusterQuestions(configuration: configuration).questions(of: host)
        guard configuration.balancers.contains(where: { $0.name == host.name }) else { return own }
        let view = HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics)
        return own + [view, HostAddresses(), UnitStatus("keepalived.service")]
    }

    /// Checks that a host is a balancer, and not the last that can hold the address.
    ///
    /// - Throws: `Diagnostic` when it is not; `Refusal` when it is the last.
    public func requireRemovable(balancer name: String) throws {
        try require(name, among: configuration.balancers, in: "'balancers'")
        if let address = configuration.balancing.address, configuration.balancers.count == 1 {
            throw Refusal(
                "\(name) is the last balancer, and clients use \(address)",
                remedies: ["add another balancer first, or take cluster_vip out of the inventory"])
        }
    }
}

extension Cluster {
    /// The guard of the removal of a balancer: another one must serve in its place.
    ///
    /// - Throws: `Refusal` when none does.
    public func refuseUnlessRemovable(balancer name: String) throws {
        guard let address = configuration.balancing.address else { return }
        let others = configuration.balancers.filter { $0.name != name }
        let isServed = others.contains { other in
            let facts = observed[other.host]
            let view = facts.ifKnown(HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics))
            return view.map { HAProxyView($0).servers(of: HAProxyView.leaderListener, in: "UP").count == 1 } == true
                && facts.ifKnown(UnitStatus("keepalived.service"))?.isRunning == true
        }
        if isServed { return }
        throw Refusal(
            "none of the other balancers (\(others.map(\.name).joined(separator: ", "))) can take over \(address): "
                + "their HAProxy does not lead to the leader, or their keepalived does not run",
            remedies: ["bring one of them back first: see `drover status`"])
    }

    /// The cluster without a balancer.
    public func without(balancer name: String) -> Cluster { without(name, as: [.balancer]) }

    /// Somebody has the address, and serves.
    @ResourceBuilder
    public var addressIsHeld: [any Resource] {
        if let address = configuration.balancing.address { isHeld(address) }
    }

    /// A balancer that nobody uses any more, and that does not run.
    @ResourceBuilder
    public func drainedBalancer(on host: Host) -> [any Resource] {
        let view = HAProxyView.question(statisticsPort: configuration.balancing.ports.statistics)
        let listeners = [HAProxyView.leaderListener, HAProxyView.replicasListener]
            .map { "$1 == \"\(inSingleQuotes: $0)\"" as ShellText }.joined(separator: " || ")
        Drained(
            unit: "haproxy.service",
            isBusy: "curl --silent --noproxy '*' --fail --max-time 2 '\(inSingleQuotes: view.url)' | "
                + "awk -F, '(\(listeners)) && $2 == \"FRONTEND\" { n += $5 } END { exit n == 0 }'")
        StoppedService("haproxy")
    }

    /// A host that was a balancer, without the files of that.
    @ResourceBuilder
    public func formerBalancer(on host: Host) throws -> [any Resource] {
        for path in balancerFiles { try Absent(path) }
        if member(host) == nil, etcdNode(host) == nil {
            try withoutExporters(on: host)
            try withoutTraces()
        }
    }
}
