public import Drover
public import Inventory
import Secrets
import SystemResources

/// What is asked before a host becomes a balancer.
struct BalancerQuestions {
    let configuration: ClusterConfiguration

    /// HAProxy is there for somebody else.
    private let servesOthers = CommandSuccess(
        """
        grep -Eq '^(frontend|listen) ' /etc/haproxy/haproxy.cfg && ! grep -q '^# Written by Drover' /etc/haproxy/haproxy.cfg
        """)
    private let proxy = UnitStatus("haproxy.service")

    private var hasInterface: CommandSuccess {
        CommandSuccess(MaskedText("[ -e /sys/class/net/\(configuration.balancing.interface) ]"))
    }

    private var fitness: HostFitness { GrowthQuestions(configuration: configuration).fitness }

    var ofNewcomer: [any Fact] { [servesOthers, hasInterface, proxy, fitness] }

    func obstacles(on node: Node, given facts: Facts) -> [String] {
        guard let servesOthers = facts.ifKnown(servesOthers), let hasInterface = facts.ifKnown(hasInterface),
            let proxy = facts.ifKnown(proxy), let taken = facts.ifKnown(fitness)?.ports
        else { return [] }
        let balancing = configuration.balancing
        var obstacles: [String] = []
        if servesOthers {
            obstacles.append(
                "HAProxy on \(node.name) already serves something else: /etc/haproxy/haproxy.cfg would be overwritten; move "
                    + "that file away, or choose another host")
        } else if proxy.active != "active" {
            let ports = balancing.ports.all.filter(taken.contains).map(String.init)
            if !ports.isEmpty {
                obstacles.append(
                    "somebody already listens at port \(ports.joined(separator: " and ")) of \(node.name): stop it there, or "
                        + "choose other ports with haproxy_listen_port")
            }
        }
        if balancing.address != nil, !hasInterface {
            obstacles.append(
                "\(node.name) has no interface \(balancing.interface): set vip_interface to the one that it has")
        }
        return obstacles
    }
}

extension ClusterModel {
    /// Everything that decides whether a host may become a balancer.
    public func questions(of host: Host, addingBalancer node: String) -> [any Fact] {
        var questions = ClusterQuestions(configuration: configuration).questions(of: host)
        if configuration.balancers.contains(where: { $0.name == host.name }) { questions.append(HostAddresses()) }
        if host.name == node { questions += BalancerQuestions(configuration: configuration).ofNewcomer }
        return questions
    }
}
