import Engine

/// What PostgreSQL makes of a host's memory where the inventory does not say it.
///
/// They are a member's own: hosts may differ, and none of these must be the same on all (PostgreSQL 15, 27.4.3).
enum MemoryParameters {
    static let names: Set = ["shared_buffers", "effective_cache_size", "maintenance_work_mem", "work_mem"]

    private static let megabyte = 1_048_576

    /// A quarter of the memory for the server's own cache, as its documentation proposes (20.4.1); what the system's cache and
    /// that are together, three quarters; for maintenance a twentieth, 2 GB at most; and for each sort what a third of the rest
    /// leaves to every connection, 64 MB at most. PostgreSQL's own defaults are the least of the last two.
    ///
    /// - Parameters:
    ///   - memory: in bytes.
    ///   - connections: `max_connections`.
    /// - Returns: none for a host that does not tell how much it has.
    static func derived(from memory: Int, connections: Int) -> [ClusterConfiguration.Parameter] {
        guard memory > 0 else { return [] }
        let sort = (memory / 4 * 3) / (3 * max(1, connections))
        let sizes = [
            ("shared_buffers", memory / 4), ("effective_cache_size", memory / 4 * 3),
            ("maintenance_work_mem", min(max(memory / 20, 64 * megabyte), 2048 * megabyte)),
            ("work_mem", min(max(sort, 4 * megabyte), 64 * megabyte)),
        ]
        return sizes.map { .init(name: $0.0, value: "\($0.1 / megabyte)MB") }
    }
}

extension Cluster {
    /// What a member derives from its host's memory: when it is set up, and never again. What its file says by then stays, so
    /// that no run changes it, and a member that was set up without has none: it would want a restart that nobody asked for.
    func memoryParameters(of node: Node) -> [ClusterConfiguration.Parameter] {
        guard let memory = observed[node.host].ifKnown(MemberMemory()) else { return [] }
        let own = configuration.postgres.localParameters[node.name] ?? []
        let declared = Set((configuration.postgres.parameters + own).map { $0.name.lowercased() })
        let hasDatabase =
            observed[node.host].ifKnown(ClusterQuestions(configuration: configuration).directory).map { $0 != .empty }
            ?? true
        let parameters =
            memory.derived
            ?? (hasDatabase
                ? []
                : MemoryParameters.derived(
                    from: memory.size, connections: configuration.postgres.number("max_connections") ?? 100))
        return parameters.filter { !declared.contains($0.name) }
    }
}
