import Testing

@testable import ClusterCLI
@testable import PostgresCluster

@Suite("Status as metrics")
struct StatusMetricsTests {
    private func lines(_ status: ClusterStatus) -> [String] {
        StatusMetrics(status: status).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("a healthy cluster")
    func healthy() {
        let lines = lines(SampleStatus.healthy)
        #expect(
            lines.prefix(8) == [
                "# TYPE drover_status_timestamp_seconds gauge", "# UNIT drover_status_timestamp_seconds seconds",
                "# HELP drover_status_timestamp_seconds When the hosts were asked.",
                #"drover_status_timestamp_seconds{cluster="demo"} 1795600800"#, "# TYPE drover_member info",
                "# HELP drover_member Role and state of a member as the cluster reports them.",
                #"drover_member_info{cluster="demo",member="pg1",role="leader",state="running"} 1"#,
                #"drover_member_info{cluster="demo",member="pg2",role="sync_standby",state="streaming"} 1"#,
            ])
        #expect(lines.last == "# EOF")
        for line in [
            #"drover_member_leader{cluster="demo",member="pg1"} 1"#,
            #"drover_member_leader{cluster="demo",member="pg2"} 0"#,
            #"drover_member_lag_bytes{cluster="demo",member="pg3"} 4096"#,
            #"drover_balancer_backends{cluster="demo",balancer="pg2",listener="replicas"} 2"#,
            #"drover_vip_held{cluster="demo",host="pg1"} 1"#, #"drover_vip_held{cluster="demo",host="pg2"} 0"#,
            #"drover_findings{cluster="demo",severity="critical"} 0"#,
            #"drover_findings_by_name{cluster="demo",name="no-leader"} 0"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        // The leader has no lag, and without backups there is nothing to say of them.
        #expect(!lines.contains { $0.hasPrefix(#"drover_member_lag_bytes{cluster="demo",member="pg1""#) })
        #expect(!lines.contains { $0.contains("backup_age") })
    }

    @Test("findings by severity and name")
    func findings() {
        let lines = lines(SampleStatus.leaderDown)
        for line in [
            #"drover_findings{cluster="demo",severity="critical"} 2"#,
            #"drover_findings{cluster="demo",severity="note"} 0"#,
            #"drover_findings_by_name{cluster="demo",name="etcd-unhealthy"} 1"#,
            #"drover_findings_by_name{cluster="demo",name="lag"} 0"#,
            #"drover_etcd_healthy{cluster="demo",member="pg1"} 0"#,
            #"drover_member_info{cluster="demo",member="pg1",role="",state="unknown"} 1"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix(#"drover_pooler_answering{cluster="demo",member="pg1""#) })
    }

    @Test("backups")
    func backups() {
        var status = SampleStatus.healthy
        status.backups = BackupStatus(leader: ("pg1", nil), told: nil)
        let lines = lines(status)
        #expect(lines.contains(#"drover_archiving{cluster="demo"} 0"#))
        #expect(lines.contains(#"drover_backups{cluster="demo"} 0"#))
        #expect(!lines.contains { $0.contains("drover_archive_failures") })
    }

    /// Each family stands in one block with its type and help before its samples, no sample comes twice, and units and
    /// suffixes are those of the specification.
    @Test(
        "well-formed",
        arguments: [SampleStatus.healthy, SampleStatus.leaderDown, SampleStatus.lagging, SampleStatus.noQuorum])
    func wellFormed(status: ClusterStatus) throws {
        var family: (name: String, type: String)?
        var (families, samples): (Set<String>, Set<Substring>) = ([], [])
        for line in lines(status).dropLast() {
            if let found = line.wholeMatch(of: #/# TYPE (drover_[a-z_]+) (gauge|counter|info)/#) {
                let name = String(found.1)
                #expect(families.insert(name).inserted)
                family = (name, String(found.2))
            } else if let found = line.wholeMatch(of: #/# (UNIT|HELP) ([a-z_]+) (.+)/#) {
                #expect(String(found.2) == family?.name)
                #expect(found.1 == "HELP" || found.2.hasSuffix("_\(found.3)"))
            } else {
                let found = try #require(
                    line.wholeMatch(of: #/([a-z_]+)(\{([a-z]+="[^"\\\n]*",?)+\}) [0-9]+/#), "\(line)")
                let suffix = ["gauge": "", "counter": "_total", "info": "_info"][family?.type ?? ""]
                #expect(String(found.1) == (family?.name ?? "") + (suffix ?? "?"))
                #expect(samples.insert(found.1 + found.2).inserted, "\(line)")
            }
        }
        #expect(families.count > 8)
    }

    @Test("labels are escaped")
    func escaping() {
        let family = MetricFamily(
            name: "a", kind: .gauge, help: "b\nc",
            samples: [.init(labels: [("l", "quote \" back \\ feed \n end")], value: 1)])
        #expect(family.lines == ["# TYPE a gauge", #"# HELP a b\nc"#, #"a{l="quote \" back \\ feed \n end"} 1"#])
    }
}
