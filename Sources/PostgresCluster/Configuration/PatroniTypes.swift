extension ClusterConfiguration.Patroni {
    /// What a commit waits for.
    public struct Synchronous: Sendable, Equatable {
        /// `synchronous_mode`: whether only a replica that has everything may take over.
        public let isOn: Bool
        /// `synchronous_mode_strict`: whether nobody may write while there is no such replica.
        public let isStrict: Bool
        /// `synchronous_node_count`: how many of them there are.
        public let count: Int
    }

    /// What fences a leader whose Patroni hangs: the host's own watchdog.
    public enum Watchdog: String, CaseIterable, Sendable {
        case off
        /// Where there is one.
        case automatic
        /// Who has none does not lead.
        case required
    }

    /// How a former leader comes back that has gone on alone.
    public struct Rewind: Sendable, Equatable {
        /// `patroni_postgresql_use_pg_rewind`.
        public let isUsed: Bool
        /// `patroni_remove_data_directory_on_rewind_failure`.
        public let removesDataOnFailure: Bool
        /// `patroni_remove_data_directory_on_diverged_timelines`.
        public let removesDataOnDivergedTimelines: Bool
    }

    /// A replication slot that every leader has.
    public struct Slot: Sendable, Equatable {
        public let name: String
        public let kind: Kind
        /// Of a logical slot.
        public let database: String?
        public let plugin: String?

        /// The kind of a replication slot.
        public enum Kind: String, CaseIterable, Sendable {
            case physical, logical
        }
    }

    /// What a member is not used for.
    public struct Tags: Sendable, Equatable {
        /// It never leads.
        public var nofailover = false
        /// Nobody reads from it through the balancers.
        public var noloadbalance = false
        /// New replicas are cloned from it rather than from the leader.
        public var clonefrom = false
        /// It is never synchronous.
        public var nosync = false
        /// `patroni_replicatefrom`: the member from which it streams, as long as that one runs; nil for the leader.
        public var upstream: String?
        /// Those of the inventory's own, by which balancers choose members: `balancer_tags`.
        public var own: [String: String] = [:]
    }

    /// Timers that suit each other: how soon another member leads, and how much unrest of the network is borne.
    public enum Preset: String, CaseIterable, Sendable {
        case fast, norm, safe, wide
    }

    /// The timers of Patroni, and how often HAProxy looks.
    struct Timers: Equatable {
        /// Seconds, as Patroni names them.
        var ttl = 30
        var loopWait = 10
        var retryTimeout = 10
        var primaryStartTimeout = 300
        /// Milliseconds between two checks.
        var checkInterval = 2000

        /// Those of Pigsty 4.5 (`pg_rto`), which has measured them; without a preset those of Patroni itself.
        init(_ preset: Preset?) {
            switch preset {
            case nil: break
            case .fast: (ttl, loopWait, retryTimeout, primaryStartTimeout, checkInterval) = (20, 5, 5, 15, 1000)
            case .norm: (ttl, loopWait, retryTimeout, primaryStartTimeout, checkInterval) = (30, 5, 10, 25, 2000)
            case .safe: (ttl, loopWait, retryTimeout, primaryStartTimeout, checkInterval) = (60, 10, 20, 45, 3000)
            case .wide: (ttl, loopWait, retryTimeout, primaryStartTimeout, checkInterval) = (120, 20, 30, 95, 4000)
            }
        }
    }
}
