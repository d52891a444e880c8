import Drover
import Inventory
import Synchronization
import SystemPackage

/// Tells people what a run does: the plan, each step as it ends, and what failed.
final class Console: Reporter {
    private let style = Style(isColoured: Terminal.hasColours)
    private let showsDiffs: Bool
    private let showsCosts: Bool
    /// Several tasks report at once; lines must not be mixed.
    private let output = Mutex(())

    init(showsDiffs: Bool, showsCosts: Bool) {
        self.showsDiffs = showsDiffs
        self.showsCosts = showsCosts
    }

    func report(_ event: RunEvent) {
        let lines = lines(for: event)
        guard !lines.isEmpty else { return }
        output.withLock { _ in
            Terminal.write(lines.map { $0 + "\n" }.joined(), to: .standardOutput)
        }
    }

    private func lines(for event: RunEvent) -> [String] {
        switch event {
        case .planned(let plan): PlanText(plan: plan, style: style, showsDiffs: showsDiffs).lines
        case .playBegan(let name): ["", style.bold(name)]
        case .stepBegan: []
        case .hostEntered(let host, .waitingForLock(let holder)): ["  \(host.name): waits: \(holder)"]
        case .hostEntered(let host, .reconnecting(let reason)): ["  \(host.name): \(reason); connecting again"]
        case .hostEntered: []
        case .stopping: [style.yellow("stopping: running steps end, no others begin; again to end them at once")]
        case .stepEnded(let host, _, let step, let seconds):
            ["  \(style.green("✓")) \(host.name): \(step.change.summary)\(style.faint(duration(seconds)))"]
        case .hostFailed(let host, let failure): FailureText(host: host.name, failure: failure, style: style).lines
        case .finished(let result): recap(result) + (showsCosts ? costs(result) : [])
        }
    }

    /// Only what took long enough to wonder about.
    private func duration(_ seconds: Double) -> String {
        seconds < 0.5 ? "" : "  \(Text.seconds(seconds))"
    }

    private func costs(_ result: RunResult) -> [String] {
        let rows = result.costs.hosts.sorted { $0.key < $1.key }.map { host, costs in
            [
                host, "connections=\(costs.connections)", "exchanges=\(costs.exchanges)", "sent=\(costs.bytesSent)",
                "received=\(costs.bytesReceived)", "forks=\(costs.forks)",
            ]
        }
        let milliseconds = Int((result.costs.controllerSeconds * 1000).rounded())
        return [""] + Text.table(rows) + ["controller  resources=\(result.costs.resources)  cpu=\(milliseconds)ms"]
    }

    private func recap(_ result: RunResult) -> [String] {
        if result.recaps.isEmpty { return [] }
        let width = result.recaps.map(\.host.count).max() ?? 0
        let lines = result.recaps.map { host, recap in
            let counts = [
                ("ok", recap.ok, style.green), ("changed", recap.changed, style.yellow),
                ("unreachable", recap.unreachable, style.red), ("failed", recap.failed, style.red),
                ("skipped", recap.skipped, style.cyan),
            ]
            let words = counts.map { name, count, colour in count == 0 ? "\(name)=0" : colour("\(name)=\(count)") }
            return "\(Text.padded(host, width))  \(words.joined(separator: "  "))"
        }
        return [""] + lines + [style.faint("\(Text.seconds(result.seconds)) in all")]
    }
}
