import Engine

/// How a run ended, on the terminal.
struct ResultText {
    let result: RunResult
    let record: RunRecord
    let style: Style
    let showsCosts: Bool

    /// After how many seconds people wonder what took so long, and which steps that may have been.
    private static let patience = (run: 5.0, step: 0.5)
    /// How much of a step is told in the list of the slowest ones: a list of packages can be long.
    private static let summaryWidth = 80

    var lines: [String] {
        slowestSteps + recap + (showsCosts ? costs : [])
    }

    private var recap: [String] {
        if result.recaps.isEmpty { return [] }
        let width = result.recaps.map { DisplayWidth.of($0.host) }.max() ?? 0
        let lines = result.recaps.map { host, recap in
            let words = recap.counts.map { name, count in
                let text = "\(name)=\(count)"
                if count == 0 { return text }
                return switch name {
                case "ok": style.green(text)
                case "changed": style.yellow(text)
                case "skipped": style.cyan(text)
                default: style.red(text)
                }
            }
            return "\(Text.padded(host, width))  \(words.joined(separator: "  "))"
        }
        return [""] + lines + [style.faint("\(Text.seconds(result.seconds)) in all")]
    }

    private var slowestSteps: [String] {
        guard showsCosts || result.seconds >= Self.patience.run else { return [] }
        let steps = SlowestSteps.of(record, longerThan: showsCosts ? 0 : Self.patience.step)
        if steps.isEmpty { return [] }
        let times = steps.map { Text.seconds($0.seconds) }
        let width = times.map(\.count).max() ?? 0
        return ["", style.bold("The slowest steps")]
            + zip(steps, times).map {
                "  \(Text.aligned($1, width))  \($0.host): \(Text.cut($0.step.change.summary, Self.summaryWidth))"
            }
    }

    private var costs: [String] {
        let rows = result.costs.hosts.sorted { $0.key < $1.key }.map { host, costs in
            [
                host, "connections=\(costs.connections)", "exchanges=\(costs.exchanges)", "sent=\(costs.bytesSent)",
                "received=\(costs.bytesReceived)", "forks=\(costs.forks)",
            ]
        }
        let milliseconds = Int((result.costs.controllerSeconds * 1000).rounded())
        return [""] + Text.table(rows) + ["controller  resources=\(result.costs.resources)  cpu=\(milliseconds)ms"]
    }
}

extension RunResult.Recap {
    /// The counts with their names, as the field knows them.
    var counts: [(name: String, count: Int)] {
        [
            ("ok", ok), ("changed", changed), ("unreachable", unreachable), ("failed", failed), ("skipped", skipped),
        ]
    }
}
