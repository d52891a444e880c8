public import Engine
public import Inventory
import Secrets
import SystemResources

/// What is asked before a host becomes a balancer, besides what ``Preflight`` asks.
struct BalancerQuestions {
    let configuration: ClusterConfiguration

    /// HAProxy is there for somebody else.
    let servesOthers = CommandSuccess(
        """
        grep -Eq '^(frontend|listen) ' /etc/haproxy/haproxy.cfg && ! grep -q '^# Written by Drover' /etc/haproxy/haproxy.cfg
        """)

    func obstacles(on node: Node, given facts: Facts) -> [String] {
        guard facts.ifKnown(servesOthers) == true else { return [] }
        return [
            "HAProxy on \(node.name) already serves something else: /etc/haproxy/haproxy.cfg would be overwritten; move "
                + "that file away, or choose another host"
        ]
    }
}

extension ClusterModel {
    /// Everything that decides whether a host may become a balancer.
    public func questions(of host: Host, addingBalancer node: String) -> [any Fact] {
        var questions = ClusterQuestions(configuration: configuration).questions(of: host)
        if configuration.balancers.contains(where: { $0.name == host.name }) { questions.append(HostAddresses()) }
        if host.name == node { questions.append(BalancerQuestions(configuration: configuration).servesOthers) }
        return questions
    }
}
