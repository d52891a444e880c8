extension Finding {
    /// The name of a kind of finding: that of its page in the runbook, without `.md`.
    ///
    /// Programs can rely on names: they stay when texts change.
    public enum Name: String, CaseIterable, Encodable, Sendable {
        case abandonedTimeline = "abandoned-timeline"
        case archivingDisabled = "archiving-disabled"
        case archivingFails = "archiving-fails"
        case backupDamaged = "backup-damaged"
        case backupOld = "backup-old"
        case cascadeSourceMissing = "cascade-source-missing"
        case certificate
        case checksumFailures = "checksum-failures"
        case clock
        case connections
        case dataNotDurable = "data-not-durable"
        case diskFull = "disk-full"
        case etcdLeaderChanges = "etcd-leader-changes"
        case etcdNoQuorum = "etcd-no-quorum"
        case etcdSpace = "etcd-space"
        case etcdUnhealthy = "etcd-unhealthy"
        case fenceDown = "fence-down"
        case haproxyMissingReplica = "haproxy-missing-replica"
        case haproxyNoLeader = "haproxy-no-leader"
        case haproxySilent = "haproxy-silent"
        case hostUnreachable = "host-unreachable"
        case lag
        case longTransaction = "long-transaction"
        case memberNotRunning = "member-not-running"
        case noLeader = "no-leader"
        case noStreamingReplica = "no-streaming-replica"
        case noSynchronousReplica = "no-synchronous-replica"
        case notStreaming = "not-streaming"
        case patroniUncorrected = "patroni-uncorrected"
        case paused
        case pendingRestart = "pending-restart"
        case pooler
        case poolerWaits = "pooler-waits"
        case repository
        case sequence
        case slots
        case standbyDeclaredIndependent = "standby-declared-independent"
        case standbyNotReceiving = "standby-not-receiving"
        case timelineBehind = "timeline-behind"
        case trustRules = "trust-rules"
        case vipHolders = "vip-holders"
        case watchdogMissing = "watchdog-missing"
        case wraparound
    }
}
