import Engine
import Inventory
import Synchronization

/// Tells people what a run does: the plan, each step as it ends, and what failed. On a terminal, what the hosts are busy
/// with is shown below that, and kept up to date.
final class Console: RunDisplay {
    private struct State {
        var record = RunRecord()
        var live = LiveState()
        var screen = Screen()
    }

    private let style: Style
    private let showsDiffs: Bool
    private let showsCosts: Bool
    private let size: (@Sendable () -> (width: Int, height: Int))?
    private let write: @Sendable (TerminalText) -> Void
    private let clock = ContinuousClock()
    private let start = ContinuousClock().now
    /// Several tasks report at once; lines must not be mixed.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - size: tells that of a terminal on which lines can be written over, in columns and lines; nil where there is none.
    ///   - write: takes whole lines, and on a terminal what moves its cursor, at once.
    init(
        style: Style, showsDiffs: Bool, showsCosts: Bool, size: (@Sendable () -> (width: Int, height: Int))?,
        write: @escaping @Sendable (TerminalText) -> Void
    ) {
        self.style = style
        self.showsDiffs = showsDiffs
        self.showsCosts = showsCosts
        self.size = size
        self.write = write
    }

    func report(_ event: RunEvent) {
        state.withLock { state in
            let now = seconds
            state.record.take(event, at: now)
            state.live.take(event, at: now)
            let lines = lines(for: event, state.record)
            // What only changes the live region is seen with its next turn.
            if !lines.isEmpty || !state.live.isShown { show(lines, &state) }
        }
    }

    /// Brings the live region up to date, as long as the task is not cancelled.
    func refresh() async {
        guard size != nil else { return }
        while !Task.isCancelled {
            state.withLock { show([], &$0) }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// The program was stopped and goes on: the shell has written below the region meanwhile.
    func redraw() {
        state.withLock { state in
            state.screen.forget()
            show([], &state)
        }
    }

    func tell(_ lines: [String]) { state.withLock { show(lines, &$0) } }

    func begin(_ heading: RunHeading) {}

    /// The failures are told last, since they are what has to be read.
    func end(_ ending: RunEnding) {
        state.withLock { state in
            let failures = FailureAccount.grouped(state.record.failures)
            let lines = failures.flatMap { [""] + FailureText(account: $0, style: style).lines }
            state.live.hide()
            show(lines, &state)
        }
    }

    private var seconds: Double { (clock.now - start) / .seconds(1) }

    private func show(_ lines: [String], _ state: inout State) {
        let size = size?() ?? (width: 0, height: 0)
        let layout = LiveLayout(width: size.width, height: size.height, style: style)
        let text = state.screen.show(layout.lines(state.live, at: seconds), below: lines, width: size.width)
        if let text { write(text) }
    }

    private func lines(for event: RunEvent, _ record: RunRecord) -> [String] {
        switch event {
        case .planned(let plan): PlanText(plan: plan, style: style, showsDiffs: showsDiffs).lines
        case .playBegan(let name): ["", style.bold(name)]
        case .stepBegan, .stepProgressed: []
        case .stepTold(let host, let text): ["    \(host.name): \(Text.printable(text))"]
        case .hostEntered(let host, .waitingForLock(let holder)): ["  \(host.name): waits: \(holder)"]
        case .hostEntered(let host, .reconnecting(let reason)): ["  \(host.name): \(reason); connecting again"]
        case .hostEntered: []
        case .stopping where record.plays.isEmpty: [style.yellow("stopping")]
        case .stopping: [style.yellow("stopping: running steps end, no others begin; again to end them at once")]
        case .stepEnded(let host, _, let step, let seconds):
            ["  \(style.green("✓")) \(host.name): \(step.change.summary)\(style.faint(duration(seconds)))"]
        case .hostFailed(let host, let failure):
            [FailureText(account: FailureAccount(failure, on: host), style: style).line]
        case .finished(let result):
            ResultText(result: result, record: record, style: style, showsCosts: showsCosts).lines
        }
    }

    /// Only what took long enough to wonder about.
    private func duration(_ seconds: Double) -> String {
        seconds < 0.5 ? "" : "  \(Text.seconds(seconds))"
    }
}
