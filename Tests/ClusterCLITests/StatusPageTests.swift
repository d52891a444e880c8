import Testing

@testable import ClusterCLI
import DroverCLI
@testable import PostgresCluster

@Suite("Status as a page")
struct StatusPageTests {
    private static let states = [
        SampleStatus.healthy, SampleStatus.leaderDown, SampleStatus.lagging, SampleStatus.noQuorum,
    ]

    private func page(_ status: ClusterStatus, runbook: String? = nil) -> String {
        StatusPage(status: status, runbook: runbook).html.description
    }

    @Test("the verdict stands in the title and at the top, with a sign beside its colour")
    func verdict() {
        #expect(page(SampleStatus.healthy).contains("<title>demo: healthy</title>"))
        #expect(page(SampleStatus.healthy).contains("✓ healthy</strong>"))
        #expect(page(SampleStatus.healthy).contains("<p>No problems found.</p>"))
        #expect(page(SampleStatus.healthy).contains("<dd>2026-11-25 10:00:00 UTC</dd>"))
        #expect(page(SampleStatus.leaderDown).contains("<title>demo: 2 critical, 1 warning</title>"))
        #expect(page(SampleStatus.leaderDown).contains("✖ 2 critical, 1 warning</strong>"))
    }

    @Test("findings come before the map, and name their page of the runbook")
    func findings() throws {
        let page = page(SampleStatus.leaderDown)
        let finding = try #require(page.firstRange(of: "0 members lead the cluster, not one"))
        let map = try #require(page.firstRange(of: "<svg"))
        #expect(finding.lowerBound < map.lowerBound)
        #expect(page.contains("Runbook: no-leader</p>"))
        for address in ["https://docs.example/runbook", "https://docs.example/runbook/"] {
            #expect(
                self.page(SampleStatus.leaderDown, runbook: address).contains(
                    #"<a href="https://docs.example/runbook/no-leader.html">no-leader</a>"#))
        }
    }

    @Test("the text of both pictures is that of the map", arguments: states)
    func pictures(status: ClusterStatus) {
        let map = ClusterMap(status)
        for form in [ClusterMapSVG.Form.wide, .narrow] {
            let svg = ClusterMapSVG(map: map, form: form).html.description
            let shown = svg.matches(of: #/<text class="[a-z]+" [^>]*>([^<]*)</text>/#).map { String($0.1) }
            let wanted = (map.path + map.aside).flatMap { [$0.title] + $0.details }
            let labels = map.arrows.map(\.label).filter { !$0.isEmpty }
            #expect(shown.sorted() == (wanted + labels).sorted(), "\(form)")
            #expect(svg.matches(of: #/class="arrow /#).count == map.arrows.count)
            #expect(svg.contains(map.sentences.joined(separator: " ")))
            #expect(svg.contains(#"role="img" aria-labelledby="map-\#(form)-title map-\#(form)-text""#))
        }
    }

    @Test("boxes do not overlap, and lie within the picture", arguments: states)
    func layout(status: ClusterStatus) throws {
        for form in [ClusterMapSVG.Form.wide, .narrow] {
            let svg = ClusterMapSVG(map: ClusterMap(status), form: form).html.description
            let view = try #require(svg.firstMatch(of: #/viewBox="0 0 ([0-9.]+) ([0-9.]+)"/#))
            let (width, height) = (try #require(Double(view.1)), try #require(Double(view.2)))
            let rects = svg.matches(of: #/<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="([0-9.]+)"/#).map
            {
                (x: Double($0.1) ?? -1, y: Double($0.2) ?? -1, width: Double($0.3) ?? -1, height: Double($0.4) ?? -1)
            }
            #expect(rects.count > 4)
            for (index, one) in rects.enumerated() {
                #expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height)
                for other in rects[(index + 1)...] {
                    let isApart =
                        one.x + one.width <= other.x || other.x + other.width <= one.x || one.y + one.height <= other.y
                        || other.y + other.height <= one.y
                    #expect(isApart)
                }
            }
        }
    }

    @Test("the page loads nothing, and what hosts say is text")
    func safety() {
        var status = SampleStatus.healthy
        status.findings = [Finding(.hostUnreachable, .critical, "pg1: <script>alert(1)</script>", "\"&'")]
        let page = page(status, runbook: "x\" onclick=\"")
        #expect(!page.contains("<script") && !page.contains("\" onclick=\""))
        #expect(page.contains("&lt;script&gt;alert(1)") && page.contains("→ &quot;&amp;&#39;"))
        #expect(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"))
        #expect(!page.contains("http://") && !page.contains("https://"))
    }

    @Test("every table has the heads of its columns and rows", arguments: states)
    func tables(status: ClusterStatus) {
        let page = page(status)
        #expect(page.matches(of: #/<th scope="row">/#).count >= status.members.count + status.etcd.count)
        #expect(page.contains(#"<th scope="row">pg3</th>"#))
    }
}
