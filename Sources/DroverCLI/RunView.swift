import Engine
import SystemPackage
import UnixSignals

/// All that shows a run, as the person has asked for it.
struct RunView: Sendable {
    private let command: String
    private let console: Console?
    private let page: PageFile?
    private let displays: [any RunDisplay]
    private let pending: ExitStatus

    /// - Parameter pending: what the program exits with when changes are pending.
    init(_ options: ViewOptions, command: String, pending: ExitStatus) {
        self.command = command
        self.pending = pending
        let write: @Sendable (TerminalText) -> Void = { Terminal.write($0, to: .standardOutput) }
        let size: @Sendable () -> (width: Int, height: Int) = { Terminal.size }
        var displays: [any RunDisplay] = []
        if options.json {
            console = nil
            displays.append(EventStream(pending: pending, write: write))
        } else {
            let console = Console(
                style: Style(isColoured: Terminal.hasColours), showsDiffs: options.diff, showsCosts: options.stats,
                size: Terminal.hasCursor ? size : nil, write: write)
            self.console = console
            displays.append(console)
        }
        page = options.report.map { PageFile($0) }
        if let page { displays.append(page) }
        self.displays = displays
    }

    /// Begins to show a run.
    ///
    /// - Returns: what the run has to report to.
    func reporter(_ playbook: String, _ options: CommonOptions) -> any Reporter {
        let heading = RunHeading.now(command, playbook, inventory: options.inventory.name)
        for display in displays { display.begin(heading) }
        return Reporters(displays)
    }

    /// Tells people something after the run, below an empty line.
    func tell(_ lines: [String]) { console?.tell([""] + lines) }

    /// Runs `body`, and shows how it ended before it returns or throws.
    ///
    /// - Throws: what `body` throws; `Diagnostic` when the page could not be written afterwards.
    func showing(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
        try page?.check()
        let refreshing = Task { [console] in await console?.refresh() }
        let returning = Task { [console] in
            for await _ in await UnixSignalsSequence(trapping: .sigcont) { console?.redraw() }
        }
        func end(_ ending: RunEnding) async {
            returning.cancel()
            refreshing.cancel()
            await refreshing.value
            for display in displays { display.end(ending) }
        }
        do {
            let status = try await body()
            await end(RunEnding(status: status))
            return status == .changesPending ? pending : status
        } catch {
            await end(RunEnding(status: Failure.status(of: error), error: Failure.text(of: error)))
            throw error
        }
    }
}
