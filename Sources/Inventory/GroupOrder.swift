import Diagnostics

/// The order in which the variables of groups override each other: parents before children, then by
/// `ansible_group_priority`, then by the alphabet.
///
/// Source: ansible-core 2.19, `sort_groups` in inventory/helpers.py.
struct GroupOrder {
    private struct Rank: Comparable {
        /// How many groups are above it, on the longest way.
        var depth: Int
        var priority: Int
        var name: String

        static func < (left: Rank, right: Rank) -> Bool {
            (left.depth, left.priority, left.name) < (right.depth, right.priority, right.name)
        }
    }

    private let declarations: Declarations
    private var ranks: [String: Rank] = [:]
    private(set) var diagnostics = Diagnostics()

    init(_ declarations: Declarations) {
        self.declarations = declarations
        var unranked = declarations.groups.mapValues(\.parents.count)
        var ready = declarations.groupNames.filter { unranked[$0] == 0 }.map { (name: $0, depth: 0) }
        var depths: [String: Int] = [:]
        while let (name, depth) = ready.popLast() {
            ranks[name] = Rank(depth: depth, priority: declarations.groups[name]?.priority ?? 1, name: name)
            for child in declarations.groups[name]?.thing.children ?? [] {
                depths[child] = max(depths[child] ?? 0, depth + 1)
                unranked[child, default: 0] -= 1
                if unranked[child] == 0 { ready.append((child, depths[child] ?? 0)) }
            }
        }
        reportCycles()
    }

    /// What no way down from the top reaches is in a circle, or below one.
    private mutating func reportCycles() {
        var seen: Set<String> = []
        for name in declarations.groupNames where ranks[name] == nil && !seen.contains(name) {
            var path: [String] = []
            var numbers: [String: Int] = [:]
            var next: String? = name
            while let group = next, numbers[group] == nil, seen.insert(group).inserted {
                numbers[group] = path.count
                path.append(group)
                next = declarations.groups[group]?.parents.first { ranks[$0] == nil }
            }
            guard let last = next, let start = numbers[last] else { continue }
            let way = (path[start...] + [last]).reversed().joined(separator: " → ")
            diagnostics.report(
                "the group '\(last)' contains itself: \(way)", at: declarations.groups[last]?.thing.location)
        }
    }

    /// `all`, these groups and all above them, in their order.
    func ancestors(of groups: [String]) -> [String] {
        var found: Set = ["all"]
        var open = groups
        while let group = open.popLast() {
            if found.insert(group).inserted { open += declarations.groups[group]?.parents ?? [] }
        }
        return found.compactMap { ranks[$0] }.sorted().map(\.name)
    }
}
