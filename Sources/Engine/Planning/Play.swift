public import Inventory

/// Brings some hosts to a declared state together. A play is a barrier: the next one begins when all hosts of this
/// one are done, and does not begin when one of them failed.
public struct Play: Sendable {
    /// In which order the hosts of a play are changed.
    public enum Strategy: Hashable, Sendable {
        /// All at once.
        case together
        /// Those on which nothing that runs is disturbed at once; then those on which something is restarted or reloaded,
        /// one after the other in the order in which the play names them. The first failure ends the play.
        case rolling
        /// Each host as soon as it is done with the play before, whatever the others do: no barrier stands between
        /// that play and this one. A host that fails ends its own part only.
        case free
    }

    /// The tag of a play that takes part whatever plays the person chooses or leaves out, because all others rest on it.
    public static let always = "always"

    /// What it does, as an order: `Start etcd`.
    public let name: String
    public let hosts: [Host]
    public let strategy: Strategy
    /// By which the person can choose or leave out plays.
    public let tags: Set<String>
    private let build: @Sendable (Host) throws -> [any Resource]

    /// - Parameter resources: the resources of one host, in the order in which they are changed.
    public init(
        _ name: String, on hosts: [Host], _ strategy: Strategy = .together, tags: Set<String> = [],
        @ResourceBuilder resources: @escaping @Sendable (Host) throws -> [any Resource]
    ) {
        self.init(name: name, hosts: hosts, strategy: strategy, tags: tags, build: resources)
    }

    private init(
        name: String, hosts: [Host], strategy: Strategy, tags: Set<String>,
        build: @escaping @Sendable (Host) throws -> [any Resource]
    ) {
        self.name = name
        self.hosts = hosts
        self.strategy = strategy
        self.tags = tags
        self.build = build
    }

    /// The same play on fewer hosts.
    func on(_ isIncluded: (Host) -> Bool) -> Play {
        Play(name: name, hosts: hosts.filter(isIncluded), strategy: strategy, tags: tags, build: build)
    }

    /// The resources of one of its hosts, in the order in which they are changed.
    ///
    /// - Throws: what the playbook throws that cannot make them.
    public func resources(on host: Host) throws -> [any Resource] {
        try build(host)
    }
}
