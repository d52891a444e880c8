extension Inventory {
    /// Lines; a group with many ways up stands there once for each, which may be more than anybody reads.
    private static let greatestGraph = 100_000

    /// The groups and their hosts as a tree, as `ansible-inventory --graph` prints it.
    public var graph: String {
        let groupsByName = Dictionary(groups.map { ($0.name, $0) }) { first, _ in first }
        var lines: [String] = []
        // A stack instead of recursion: groups may be nested as deeply as somebody likes.
        var open: [(name: String, depth: Int, isHost: Bool)] = [("all", 0, false)]
        while lines.count < Self.greatestGraph, let (name, depth, isHost) = open.popLast() {
            let margin = depth == 0 ? "" : String(repeating: "  |", count: depth) + "--"
            lines.append(margin + (isHost ? name : "@\(name):"))
            guard !isHost, let group = groupsByName[name] else { continue }
            if name != "all" { open += group.hosts.reversed().map { ($0, depth + 1, true) } }
            open += group.children.reversed().map { ($0, depth + 1, false) }
        }
        return lines.joined(separator: "\n")
    }
}
