import Engine
import FoundationEssentials

/// A run as one HTML page that needs nothing else.
struct ReportPage {
    let heading: RunHeading
    let record: RunRecord
    let ending: RunEnding
    /// How long the run took.
    let seconds: Double

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(heading.command) \(heading.playbook): \(status.words)</title>
        <style>
        \(ReportStyle.sheet)
        </style>
        </head>
        <body>
        \(HTML.lines(sections))
        </body>
        </html>

        """
    }

    /// A plan with changes has them pending, also when the program does not say so by its exit status.
    private var status: ExitStatus {
        ending.error == nil ? record.result?.status ?? ending.status : ending.status
    }

    private var sections: [HTML] {
        [
            header, error, section("Failures", failures), section("Hosts", recap),
            section("Timeline", TimelineSVG(timeline: Timeline(record, seconds: seconds)).html),
            section("The slowest steps", slowestSteps), section("Changes", changes), section("Costs", costs),
        ]
    }

    private func section(_ title: String, _ content: HTML) -> HTML {
        content.description.isEmpty ? "" : "<section>\n<h2>\(title)</h2>\n\(content)\n</section>"
    }

    // MARK: The begin

    private var header: HTML {
        let format = Date.ISO8601FormatStyle(dateTimeSeparator: .space)
        let facts: [(String, String)] = [
            ("Inventory", heading.inventory), ("Begun", format.format(heading.began).replacing("Z", with: " UTC")),
            ("Took", Text.seconds(seconds)), ("By", heading.person), ("Changes", counts),
        ]
        return """
            <header>
            <h1><small>drover \(heading.command)</small> \(heading.playbook) \
            <strong class="status \(tone)">\(status.words)</strong></h1>
            <dl>\(facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as HTML })</dl>
            </header>
            """
    }

    private var counts: String {
        guard let plan = record.plan else { return "none planned" }
        let planned = "\(plan.stepCount) planned"
        if heading.command == "plan" { return planned }
        return "\(planned), \(record.steps.count { $0.outcome == .done }) made"
    }

    private var tone: String {
        switch status {
        case .done: "good"
        case .changesPending, .interrupted: "warn"
        default: "bad"
        }
    }

    private var error: HTML {
        guard let error = ending.error else { return "" }
        return "<pre class=\"error\">\(error)</pre>"
    }

    private var failures: HTML {
        .lines(FailureAccount.grouped(record.failures).map { FailureHTML(account: $0).html })
    }

    // MARK: How it ended

    private var recap: HTML {
        guard let recaps = record.result?.recaps, let first = recaps.first else { return "" }
        let rows = recaps.map { host, recap -> HTML in
            let cells = recap.counts.map { name, count -> HTML in
                count == 0 ? "<td class=\"none\">0</td>" : "<td class=\"\(name)\">\(count)</td>"
            }
            return "<tr><th scope=\"row\">\(host)</th>\(cells)</tr>"
        }
        let names = first.recap.counts.map { "<th scope=\"col\">\($0.name)</th>" as HTML }
        return "<table>\n<thead><tr><th></th>\(names)</tr></thead>\n<tbody>\n\(HTML.lines(rows))\n</tbody>\n</table>"
    }

    private var slowestSteps: HTML {
        let steps = SlowestSteps.of(record)
        guard let longest = steps.first?.seconds, longest > 0 else { return "" }
        let rows = steps.map { span -> HTML in
            """
            <tr><td class="number">\(Text.seconds(span.seconds))</td><td class="share">\
            <i style="width:\(span.seconds / longest * 100)%"></i></td>\
            <th scope="row">\(span.host)</th><td>\(span.step.change.summary)</td></tr>
            """
        }
        return "<table class=\"slowest\">\n<tbody>\n\(HTML.lines(rows))\n</tbody>\n</table>"
    }

    private var costs: HTML {
        guard let costs = record.result?.costs, !costs.hosts.isEmpty else { return "" }
        let names = ["connections", "exchanges", "bytes sent", "bytes received", "processes"]
        let rows = costs.hosts.sorted { $0.key < $1.key }.map { host, costs -> HTML in
            let numbers = [
                costs.connections, costs.exchanges, costs.bytesSent, costs.bytesReceived, costs.forks,
            ]
            return "<tr><th scope=\"row\">\(host)</th>\(numbers.map { "<td>\($0)</td>" as HTML })</tr>"
        }
        return """
            <table>
            <thead><tr><th></th>\(names.map { "<th scope=\"col\">\($0)</th>" as HTML })</tr></thead>
            <tbody>
            \(HTML.lines(rows))
            </tbody>
            </table>
            <p>\(Text.count(costs.resources, "resource")), \(Text.seconds(costs.controllerSeconds)) of this machine’s \
            processors.</p>
            """
    }

    // MARK: The plan

    private var changes: HTML {
        guard let plan = record.plan else { return "" }
        let notices = plan.notices.map { hosts, text -> HTML in
            "<p class=\"note\"><b>\(hosts.joined(separator: " "))</b> \(text)</p>"
        }
        let outcomes = StepOutcomes(record)
        let planned = plan.stages.filter(\.hasChanges).map { stage in
            ChangesHTML(play: stage.play.name, groups: ChangeGroup.all(of: stage), outcomes: outcomes).html
        }
        let unplanned = outcomes.unplanned(by: plan).map { play, steps in
            ChangesHTML(play: play, groups: ChangeGroup.all(of: steps), outcomes: outcomes, isPlanned: false).html
        }
        return .lines(notices + (planned.isEmpty ? ["<p>Nothing to change.</p>"] : planned) + unplanned)
    }
}
