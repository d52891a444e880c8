import PostgresCluster

/// A cluster's status as OpenMetrics text.
struct StatusMetrics {
    let status: ClusterStatus

    /// The text of the whole exposition, without a line feed at its end.
    var text: String {
        (families.flatMap(\.lines) + ["# EOF"]).joined(separator: "\n")
    }

    private var families: [MetricFamily] {
        [
            gauge("drover_status_timestamp_seconds", unit: "seconds", "When the hosts were asked.", one(status.time))
        ] + members + others + backups + findings
    }

    private var members: [MetricFamily] {
        let members = status.members
        func each(_ value: (ClusterStatus.Member) -> Int?) -> [(KeyValuePairs<String, String>, Int)] {
            members.compactMap { member in value(member).map { (["member": member.name], $0) } }
        }
        return [
            family(
                "drover_member", .info, "Role and state of a member as the cluster reports them.",
                members.map { (["member": $0.name, "role": $0.role ?? "", "state": $0.state], 1) }),
            gauge("drover_member_leader", "Whether the member is the leader.", each { $0.isLeader ? 1 : 0 }),
            gauge("drover_member_timeline", "The timeline of the member.", each(\.timeline)),
            gauge(
                "drover_member_lag_bytes", unit: "bytes", "Lag of a replica behind the leader.",
                each { $0.isLeader ? nil : $0.lag }),
            gauge("drover_member_connections", "Client connections of the member.", each(\.connections?.count)),
            gauge(
                "drover_pooler_answering", "Whether the pooler answers.",
                each { $0.pooler.map { $0.isAnswering ? 1 : 0 } }),
            gauge(
                "drover_pooler_waiting_clients", "Clients of the pooler that wait for a connection.",
                each(\.pooler?.waitingClients)),
        ]
    }

    private var others: [MetricFamily] {
        let balancers = status.balancers
        let hosts = status.addressFollowsLeader ? status.members.map(\.name) : balancers.map(\.name)
        return [
            gauge(
                "drover_etcd_healthy", "Whether the etcd member is healthy.",
                status.etcd.map { (["member": $0.name], $0.isHealthy ? 1 : 0) }),
            gauge(
                "drover_balancer_serving", "Whether HAProxy answers.",
                balancers.map { (["balancer": $0.name], $0.isServing ? 1 : 0) }),
            gauge(
                "drover_balancer_backends", "Backends that HAProxy considers up.",
                balancers.flatMap { balancer in
                    [("leader", balancer.leader), ("replicas", balancer.replicas)].map { listener, backends in
                        (["balancer": balancer.name, "listener": listener], backends.count)
                    }
                }),
            gauge(
                "drover_vip_held", "Whether the host holds the VIP.",
                status.address == nil
                    ? []
                    : hosts.map { host in
                        (["host": host], status.holders.contains(host) ? 1 : 0)
                    }),
        ]
    }

    private var backups: [MetricFamily] {
        guard let backups = status.backups else { return [] }
        return [
            gauge("drover_archiving", "Whether the leader archives its WAL.", one(backups.isArchiving ? 1 : 0)),
            family(
                "drover_archive_failures", .counter, "Failed attempts to archive a WAL segment.",
                one(backups.failures)),
            gauge("drover_backups", "Backups in the repository.", one(backups.count)),
            gauge(
                "drover_backup_age_seconds", unit: "seconds", "Age of the newest backup.",
                one(backups.age)),
        ]
    }

    /// Those that nothing is found of are 0, so that an alert ends.
    private var findings: [MetricFamily] {
        let findings = status.findings
        return [
            gauge(
                "drover_findings", "Findings by severity.",
                Finding.Severity.allCases.map { severity in
                    (["severity": severity.rawValue], findings.count { $0.severity == severity })
                }),
            gauge(
                "drover_findings_by_name", "Findings by name, which is that of a page of the runbook.",
                Finding.Name.allCases.map { name in
                    (["name": name.rawValue], findings.count { $0.name == name })
                }),
        ]
    }

    /// A sample without labels of its own; none when the value is not known.
    private func one(_ value: Int?) -> [(KeyValuePairs<String, String>, Int)] {
        value.map { [([:] as KeyValuePairs<String, String>, $0)] } ?? []
    }

    private func gauge(
        _ name: String, unit: String? = nil, _ help: String, _ samples: [(KeyValuePairs<String, String>, Int)]
    ) -> MetricFamily {
        family(name, .gauge, unit: unit, help, samples)
    }

    private func family(
        _ name: String, _ kind: MetricFamily.Kind, unit: String? = nil, _ help: String,
        _ samples: [(KeyValuePairs<String, String>, Int)]
    ) -> MetricFamily {
        MetricFamily(
            name: name, kind: kind, unit: unit, help: help,
            samples: samples.map { labels, value in
                .init(labels: [("cluster", status.cluster)] + labels.map { ($0.key, $0.value) }, value: value)
            })
    }
}
