import Engine
import Inventory
import SystemResources

extension Preflight {
    /// Everything that was found, of all checks, also of those that are left out.
    var findings: [PreflightFinding] {
        clocks + pools + existingEtcd + standAlone
            + subjects.flatMap { node in onHost(node) + defects(of: node) + around(node) }
    }

    private var configuration: ClusterConfiguration { cluster.configuration }

    /// The clocks of all hosts are compared, but only those that are to be touched are complained of.
    private var clocks: [PreflightFinding] {
        let readings = configuration.hosts.compactMap { host in
            cluster.observed[host].ifKnown(ClockReading()).map { (host.name, $0) }
        }
        return ClockReading.deviations(among: readings).filter { deviation in
            subjects.contains { $0.name == deviation.host }
        }.map {
            PreflightFinding(
                check: .clock, host: $0.host,
                text: "the clock is \($0.words) that of \($0.reference): let a time service set it "
                    + "(ntp_enabled: true), or set it with `date`")
        }
    }

    /// One that is down among several is no reason to wait.
    private var existingEtcd: [PreflightFinding] {
        ClusterQuestions(configuration: configuration).existingEtcd(given: cluster.observed).filter { member, _ in
            subjects.contains { $0.name == member.name }
        }.compactMap { member, told in
            let sick = told.filter { !$0.isUnaskable && (!$0.isHealthy || $0.isReadable != true) }
            guard !sick.isEmpty, 2 * (told.count - sick.count) <= told.count else { return nil }
            let list = sick.map { "\($0.endpoint) (\($0.complaint ?? "no answer"))" }.joined(separator: ", ")
            return PreflightFinding(
                check: .etcd, host: member.name,
                text:
                    "the etcd of patroni_etcd_hosts cannot be used: \(list): bring it back, or correct how it is reached"
            )
        }
    }

    /// What others have, or keep from reaching them.
    private func around(_ node: Node) -> [PreflightFinding] {
        let facts = cluster.observed[node.host]
        var findings = ports(of: node, given: facts)
        findings += interface(of: node, given: facts)
        guard let sounding = facts.ifKnown(questions.sounding(of: node.host, given: facts)) else { return findings }
        func find(_ check: PreflightCheck, _ text: String) {
            findings.append(PreflightFinding(check: check, host: node.name, text: text))
        }
        if let address = configuration.balancing.address, !sounding.holders.isEmpty, !isHeldByCluster(address) {
            let who = sounding.holders.sorted().joined(separator: " and ")
            find(
                .address,
                "\(address) belongs to somebody else, whose hardware address is \(who): choose another cluster_vip, or "
                    + "take it from there")
        }
        let others = sounding.routers.filter { router in
            router.id == configuration.balancing.routerID
                && !configuration.addressHolders.contains { $0.address == router.source }
        }
        if !others.isEmpty {
            let who = others.map(\.source).sorted().joined(separator: " and ")
            find(
                .routerID,
                "\(who) already uses the virtual router id \(configuration.balancing.routerID) on this network: choose "
                    + "another one with keepalived_virtual_router_id")
        }
        for (target, ports) in unreachable(by: sounding) {
            find(
                .network,
                "\(target) cannot be reached at port \(ports.map(String.init).joined(separator: ", ")): let that through the "
                    + "packet filters and networks between the hosts, or correct bind_address")
        }
        return findings
    }

    /// The hosts that cannot be reached, each with the reason, `10.70.0.12 (no answer)`, and the ports.
    private func unreachable(by sounding: Sounding.Answer) -> [(target: String, ports: [Int])] {
        var ports: [String: [Int]] = [:]
        for (target, reason) in sounding.unreachable {
            let parts = target.split(separator: ":")
            if let address = parts.first, let port = parts.last.flatMap({ Int($0) }) {
                ports["\(address) (\(reason))", default: []].append(port)
            }
        }
        return ports.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
    }

    private func ports(of node: Node, given facts: Facts) -> [PreflightFinding] {
        guard let listeners = facts.ifKnown(Listeners()) else { return [] }
        let hasDatabase = facts.ifKnown(ClusterQuestions(configuration: configuration).directory) != .empty
        return configuration.daemonPorts(of: node.host).compactMap { wanted in
            let other = listeners.first { listener in
                // Only root is told who listens. A server that somebody has started by hand on the cluster's own data is the
                // state's matter.
                let isOurs =
                    listener.unit == wanted.unit
                    || (listener.who == "somebody"
                        && facts.ifKnown(UnitStatus(wanted.unit))?.isRunning == true)
                    || (wanted.daemon == "PostgreSQL" && hasDatabase
                        && listener.program == "postgres")
                return listener.port == wanted.port && listener.isInTheWay(of: wanted.address) && !isOurs
            }
            guard let other else { return nil }
            let choice = wanted.variable.map { ", or choose another port with \($0)" } ?? ""
            return PreflightFinding(
                check: .ports, host: node.name,
                text: "\(other.who) already listens at port \(wanted.port), which \(wanted.daemon) wants: stop it"
                    + choice)
        }
    }

    private func interface(of node: Node, given facts: Facts) -> [PreflightFinding] {
        let balancing = configuration.balancing
        guard let address = balancing.address, configuration.mayHoldAddress(node.name),
            let networks = facts.ifKnown(questions.networks)
        else { return [] }
        guard let networks else {
            return [
                PreflightFinding(
                    check: .interface, host: node.name,
                    text: "there is no interface \(balancing.interface): set vip_interface to the one that is to hold "
                        + address)
            ]
        }
        if networks.contains(where: { InterfaceNetworks.contains($0, address) }) { return [] }
        let list = networks.isEmpty ? "no address" : networks.joined(separator: ", ")
        return [
            PreflightFinding(
                check: .interface, host: node.name,
                text:
                    "\(address) is in no network of \(balancing.interface), which has \(list): choose another cluster_vip, "
                    + "or set vip_interface")
        ]
    }

    /// While one of them was not asked, nobody can say.
    private func isHeldByCluster(_ address: String) -> Bool {
        !cluster.holders(of: address).isEmpty
            || !configuration.addressHolders.allSatisfy { cluster.observed[$0.host].ifKnown(HostAddresses()) != nil }
    }
}
