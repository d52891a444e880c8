import DroverCLI
import FoundationEssentials
import PostgresCluster

/// A cluster's status as one HTML page that needs nothing else.
struct StatusPage {
    let status: ClusterStatus
    /// Where the pages of the runbook are; nil when that is not known.
    var runbook: String?

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(status.cluster): \(verdict)</title>
        <style>
        \(ReportStyle.sheet)
        \(StatusPageStyle.sheet)
        </style>
        </head>
        <body>
        \(HTML.lines([header, findings, map, members, balancers, etcd, backups]))
        </body>
        </html>

        """
    }

    private var verdict: String {
        let counts = Finding.Severity.allCases.compactMap { severity -> String? in
            let count = status.findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        return counts.isEmpty ? "healthy" : counts.joined(separator: ", ")
    }

    private var header: HTML {
        let time = Date.ISO8601FormatStyle(dateTimeSeparator: .space).format(
            Date(timeIntervalSince1970: Double(status.time))
        ).replacing("Z", with: " UTC")
        let following: HTML = status.follows.map { "<div><dt>Standby cluster of</dt><dd>\($0)</dd></div>" } ?? ""
        return """
            <header>
            <h1><small>Cluster</small> \(status.cluster) \
            <strong class="status \(Self.tone(of: status.worst))">\(Self.sign(of: status.worst)) \(verdict)</strong></h1>
            <dl><div><dt>As of</dt><dd>\(time)</dd></div>\(following)</dl>
            </header>
            """
    }

    // MARK: Findings

    private var findings: HTML {
        let articles = status.findings.map { finding -> HTML in
            let tone = Self.tone(of: finding.severity)
            return """
                <article class="\(tone)">
                <h3><span class="chip \(tone)">\(Self.sign(of: finding.severity)) \(finding.severity.rawValue)</span> \(finding.text)</h3>
                <p class="advice">→ \(finding.remedy)</p>
                <p class="source">Runbook: \(link(to: finding.name.rawValue))</p>
                </article>
                """
        }
        return section("Findings", articles.isEmpty ? "<p>No problems found.</p>" : .lines(articles))
    }

    private func link(to name: String) -> HTML {
        guard let runbook else { return "\(name)" }
        return "<a href=\"\(runbook.hasSuffix("/") ? runbook : runbook + "/")\(name).html\">\(name)</a>"
    }

    // MARK: The parts

    private var map: HTML {
        let map = ClusterMap(status)
        return section(
            "Map",
            """
            <figure class="map">
            \(ClusterMapSVG(map: map, form: .wide).html)
            \(ClusterMapSVG(map: map, form: .narrow).html)
            </figure>
            """)
    }

    private var members: HTML {
        section(
            "Members",
            table(
                ["Member", "Role", "State", "Timeline", "Lag", "Source", "Clients", "Pooler"],
                status.members.map { member in
                    [
                        member.name, member.role?.replacing("_", with: " ") ?? "–", member.state,
                        member.timeline.map(String.init) ?? "–",
                        member.isLeader ? "" : member.lag.map(Text.bytes) ?? "–", member.source ?? "",
                        member.connections.map { "\($0.count)" + ($0.limit.map { " of \($0)" } ?? "") } ?? "–",
                        member.pooler.map { pooler in
                            !pooler.isAnswering
                                ? "silent"
                                : pooler.waitingClients == 0
                                    ? "answers" : "\(pooler.waitingClients) wait, \(Text.age(pooler.longestWait))"
                        } ?? "–",
                    ]
                }))
    }

    private var balancers: HTML {
        guard !status.balancers.isEmpty else { return "" }
        func list(_ names: [String]) -> String { names.isEmpty ? "–" : names.joined(separator: " ") }
        return section(
            "Balancers",
            table(
                ["Balancer", "HAProxy", "Leader", "Replicas", "VIP"],
                status.balancers.map {
                    [
                        $0.name, $0.isServing ? "serves" : "silent", list($0.leader), list($0.replicas),
                        $0.holdsAddress ? "holds" : "",
                    ]
                }))
    }

    private var etcd: HTML {
        section(
            "etcd",
            table(["Member", "Health"], status.etcd.map { [$0.name, $0.isHealthy ? "healthy" : "not healthy"] }))
    }

    private var backups: HTML {
        guard let backups = status.backups else { return "" }
        return section(
            "Backups",
            table(
                ["WAL archive", "Last segment", "Failed attempts", "Backups", "Newest", "Age"],
                [
                    [
                        backups.isArchiving ? "healthy" : "not healthy", backups.archived ?? "–",
                        backups.failures.map(String.init) ?? "–", "\(backups.count)", backups.newest ?? "–",
                        backups.age.map(Text.age) ?? "–",
                    ]
                ]))
    }

    // MARK: Pieces

    private func section(_ title: String, _ content: HTML) -> HTML {
        "<section>\n<h2>\(title)</h2>\n\(content)\n</section>"
    }

    private func table(_ names: [String], _ rows: [[String]]) -> HTML {
        let head = names.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { row -> HTML in
            let cells = row.dropFirst().map { "<td>\($0)</td>" as HTML }
            return "<tr><th scope=\"row\">\(row[0])</th>\(cells)</tr>"
        }
        return """
            <div class="scrolls"><table class="parts">
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(HTML.lines(body))
            </tbody>
            </table></div>
            """
    }

    private static func tone(of severity: Finding.Severity?) -> String {
        switch severity {
        case nil: "good"
        case .critical: "bad"
        case .warning: "warn"
        case .note: "info"
        }
    }

    /// A sign for those who do not see the colours.
    private static func sign(of severity: Finding.Severity?) -> String {
        switch severity {
        case nil: "✓"
        case .critical: "✖"
        case .warning: "▲"
        case .note: "ℹ"
        }
    }
}
