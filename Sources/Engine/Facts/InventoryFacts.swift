import Inventory

/// What expressions of an inventory may take of a host, by the names that Ansible has for it.
struct InventoryFacts: Fact {
    static func script(for questions: [InventoryFacts]) -> ShellText {
        #"""
        p() { printf '%s\t%s\n' "$1" "$2"; }
        p name "$(uname -n)"
        p kernel "$(uname -r)"
        p architecture "$(uname -m)"
        p domain "$(hostname --domain 2>/dev/null)"
        (. /etc/os-release; p distribution "$ID"; p version "$VERSION_ID"; p codeName "$VERSION_CODENAME") 2>/dev/null
        p timeZone "$(date +%Z)"
        p processors "$(getconf _NPROCESSORS_ONLN)"
        sed -n 's/^\(MemTotal\|SwapTotal\): *\([0-9]*\) kB/\1\t\2/p' /proc/meminfo
        p route "$(ip -oneline -4 route show default 2>/dev/null | head -n 1)"
        ip -oneline -4 address show scope global 2>/dev/null | while read -r _ i _ a _; do p address "$i $a"; done
        """#
    }

    static func answers(
        to questions: [InventoryFacts], from output: String
    ) throws -> [InventoryFacts: HostFacts] {
        var facts = HostFacts()
        facts.addresses = []
        var addresses: [(interface: String, address: String)] = []
        var route: [String] = []
        for line in output.linesOfText {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw UnreadableAnswer(InventoryFacts.self, line) }
            let (key, value) = (parts[0], parts[1])
            switch key {
            case "name": facts.hostName = value
            case "kernel": facts.kernel = value
            case "architecture": facts.architecture = value
            case "domain": facts.domain = value
            case "distribution": facts.distribution = value
            case "version": facts.version = value
            case "codeName": facts.codeName = value
            case "timeZone": facts.timeZone = value
            case "processors": facts.processors = Int(value) ?? 1
            case "MemTotal": facts.memory = (Int(quantity: value) ?? 0) / 1024
            case "SwapTotal": facts.swap = (Int(quantity: value) ?? 0) / 1024
            case "route": route = value.split(separator: " ").map(String.init)
            case "address":
                let words = value.split(separator: " ").map(String.init)
                if words.count == 2 { addresses.append((words[0], words[1])) }
            default: throw UnreadableAnswer(InventoryFacts.self, line)
            }
        }
        facts.take(addresses, route: route)
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, facts) })
    }

    /// Plans are made of what the inventory makes of it, which they show.
    static func essence(of answer: HostFacts) -> String { "" }
}

extension HostFacts {
    /// - Parameters:
    ///   - found: all global addresses, each with its prefix length.
    ///   - route: the words of the default route; a host without one has its first interface instead.
    fileprivate mutating func take(_ found: [(interface: String, address: String)], route: [String]) {
        func word(after name: String) -> String? {
            route.firstIndex(of: name).flatMap { route.indices.contains($0 + 1) ? route[$0 + 1] : nil }
        }
        addresses = found.map { String($0.address.prefix { $0 != "/" }) }
        gateway = word(after: "via") ?? ""
        interface = word(after: "dev") ?? found.first?.interface ?? ""
        let own = found.first { $0.interface == interface }?.address.split(separator: "/").map(String.init) ?? []
        address = own.first ?? ""
        prefix = own.count > 1 ? Int(own[1]) ?? 0 : 0
    }
}
