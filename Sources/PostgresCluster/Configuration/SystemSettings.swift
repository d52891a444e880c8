/// What of the operating system is set. What nobody asks for stays as it is.
public struct SystemSettings: Sendable {
    /// `hostname`, by name of the host.
    public var hostNames: [String: String] = [:]
    /// `etc_hosts`: an address and its names each.
    public var hostsEntries: [String] = []
    /// `timezone`.
    public var timeZone: String?
    /// `locale_gen`, as `de_DE.UTF-8`.
    public var locales: [String] = []
    /// `locale`: what new sessions have.
    public var locale: String?
    /// `ntp_enabled`.
    public var timeService: TimeService?
    /// `sysctl_set`, `sysctl_conf`: by group, besides those for all.
    public var kernelParameters: [String: [KernelParameter]] = [:]
    /// `disable_thp`.
    public var makesNoHugePages = false
    /// `huge_pages_auto_conf`: of 2 MiB, for a member; nil leaves their number as it is.
    public var hugePages: Int?
    /// `set_limits`.
    public var limits: SessionLimits?
    /// `swap_file_create`.
    public var swap: SwapFile?
    /// `firewall_enabled_at_boot`.
    public var firewall: Firewall?
    /// `logrotate_enabled`.
    public var rotatesLogs = false
    /// `nameservers`: addresses, in the order in which they are asked.
    public var nameServers: [String] = []
    /// `set_scheduler`, `scheduler`.
    public var schedulers: [DiskScheduler] = []
    /// `sudo_users`.
    public var sudoUsers: [SudoUser] = []
    /// `copy_files_to_all_server`.
    public var files: [CopiedFile] = []
    /// `pre_deploy_command`, `post_deploy_command`.
    public var commandBefore: DeployCommand?
    public var commandAfter: DeployCommand?

    /// The time service, and its servers.
    public struct TimeService: Sendable, Equatable {
        /// `ntp_service`.
        public let program: Program
        /// `ntp_servers`; those that the program has anyway when there are none.
        public let servers: [String]

        /// The program that keeps the time.
        public enum Program: String, CaseIterable, Sendable {
            case chrony, timesyncd
        }
    }

    /// One of `sysctl_conf`, `{ name: vm.swappiness, value: 1 }`.
    public struct KernelParameter: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    /// The limits of sessions of a user.
    public struct SessionLimits: Sendable, Equatable {
        /// `limits_user`.
        public let user: String
        /// `soft_nofile`, `hard_nofile`: open files.
        public let soft: Int
        public let hard: Int
    }

    /// The file that a host swaps to.
    public struct SwapFile: Sendable, Equatable {
        /// `swap_file_path`.
        public let path: String
        /// `swap_file_size_mb`.
        public let mebibytes: Int
    }

    /// The ports that the packet filter opens.
    public struct Firewall: Sendable, Equatable {
        /// `firewall_allowed_tcp_ports_for`: by group, besides those of the cluster's own daemons.
        public let ports: [String: [Int]]
        /// `firewall_additional_rules_for`: by group, in the words of nftables.
        public let rules: [String: [String]]
    }
}

extension SystemSettings {
    /// What is customary for hosts of PostgreSQL, by group. `vm.overcommit_memory` is not among them: on a host with little
    /// memory and no swap, programs could not be started any more.
    static let customaryParameters: [String: [KernelParameter]] = [
        "postgres_cluster": [
            .init(name: "vm.swappiness", value: "1"), .init(name: "vm.dirty_background_bytes", value: "67108864"),
            .init(name: "vm.dirty_bytes", value: "536870912"), .init(name: "vm.zone_reclaim_mode", value: "0"),
            .init(name: "kernel.numa_balancing", value: "0"), .init(name: "kernel.sched_autogroup_enabled", value: "0"),
        ],
        "balancers": [.init(name: "net.ipv4.ip_local_port_range", value: "10000 65535")],
        "etcd_cluster": [.init(name: "vm.swappiness", value: "1")],
    ]

    /// From how much shared memory on huge pages are worth their while, and how much more than `shared_buffers` a server
    /// takes: a twentieth, and what does not grow with them.
    private static let hugePagesFrom = 8_589_934_592
    private static let hugePage = 2_097_152

    static func hugePages(for sharedBuffers: Int) -> Int? {
        guard sharedBuffers >= hugePagesFrom, sharedBuffers < Int.max / 2 else { return nil }
        return (sharedBuffers / 20 * 21 + 134_217_728) / hugePage + 1
    }
}
