/// The hosts of groups and of those below them, in the order in which Ansible counts them: level by level.
///
/// Source: ansible-core 2.19, `get_hosts` in inventory/group.py.
struct GroupMembers {
    private let groups: [String: Group]

    init(_ groups: [Group]) {
        self.groups = Dictionary(groups.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The names of all groups.
    var names: [String] { Array(groups.keys) }

    /// The names of the hosts of a group, each once, or nil when there is no such group.
    func hosts(of name: String) -> [String]? {
        guard let group = groups[name] else { return nil }
        var hosts: [String] = []
        var seenHosts: Set<String> = []
        var level = [group]
        var seen: Set = [name]
        while !level.isEmpty {
            hosts += level.flatMap(\.hosts).filter { seenHosts.insert($0).inserted }
            level = level.flatMap(\.children).filter { seen.insert($0).inserted }.compactMap { groups[$0] }
        }
        return hosts
    }
}
