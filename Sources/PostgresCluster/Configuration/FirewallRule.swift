import Diagnostics
import YAML

/// A rule of `iptables` for what comes in, as `firewall_additional_rules_for` has it, in the words of nftables.
///
///     iptables -A INPUT -p tcp -s 10.0.0.0/8 --dport 9100 -j ACCEPT   →   ip saddr 10.0.0.0/8 tcp dport 9100 accept
struct FirewallRule: Equatable {
    /// Nil for a rule about what leaves the host or passes through it, which Drover's table does not filter.
    let text: String?
}

extension FirewallRule: YAMLDecodable {
    init(yaml node: YAMLNode) throws {
        let line = try String(yaml: node)
        guard let rule = FirewallRule(line) else {
            throw Diagnostic(
                "'\(line)' cannot be translated for nftables", at: node.location,
                remedy:
                    "write it like 'iptables -A INPUT -p tcp -s 10.0.0.0/8 --dport 9100 -j ACCEPT', or the port into "
                    + "firewall_allowed_tcp_ports_for")
        }
        self = rule
    }

    /// What begins each option, and how nftables puts it.
    private init?(_ line: String) {
        var words = line.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        if words.first == "sudo" { words.removeFirst() }
        guard words.popFirst() == "iptables" else { return nil }
        var chain: String?
        var verdict: String?
        var network: [String] = []
        var link: String?
        var ports: String?
        while let option = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch option {
            case "-A", "--append", "-I", "--insert": chain = value
            case "-p", "--protocol": link = value.lowercased()
            case "-s", "--source", "-d", "--destination":
                guard value.wholeMatch(of: /[0-9.]+(\/[0-9]{1,2})?/) != nil else { return nil }
                network.append("ip \(option.hasSuffix("d") || option.hasSuffix("n") ? "daddr" : "saddr") \(value)")
            case "-i", "--in-interface":
                guard value.wholeMatch(of: /[A-Za-z0-9_.-]+/) != nil else { return nil }
                network.append("iifname \"\(value)\"")
            case "-m", "--match":
                guard ["tcp", "udp", "multiport"].contains(value) else { return nil }
            case "--dport", "--dports", "--destination-port", "--destination-ports":
                guard value.wholeMatch(of: /[0-9]+([:,][0-9]+)*/) != nil else { return nil }
                let ranges = value.split(separator: ",").map { $0.split(separator: ":").joined(separator: "-") }
                ports = ranges.count == 1 ? ranges[0] : "{ \(ranges.joined(separator: ", ")) }"
            case "-j", "--jump": verdict = ["ACCEPT": "accept", "DROP": "drop", "REJECT": "reject"][value]
            default: return nil
            }
        }
        guard let chain, let verdict else { return nil }
        if chain != "INPUT" {
            guard ["OUTPUT", "FORWARD"].contains(chain), verdict == "accept" else { return nil }
            text = nil
            return
        }
        var parts = network
        switch (link, ports) {
        case ("tcp"?, let ports?), ("udp"?, let ports?): parts.append("\(link ?? "") dport \(ports)")
        case (_, .some): return nil
        case (let link?, nil):
            guard let number = Self.protocols[link] ?? Int(link) else { return nil }
            parts.append("meta l4proto \(number)")
        case (nil, nil): break
        }
        text = (parts + [verdict]).joined(separator: " ")
    }

    /// By the numbers that IANA gave them: nftables looks names up in a file that minimal systems do not have.
    private static let protocols = [
        "icmp": 1, "tcp": 6, "udp": 17, "gre": 47, "esp": 50, "ah": 51, "vrrp": 112, "sctp": 132,
    ]
}
