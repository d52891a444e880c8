import Engine
import Synchronization

/// Writes a page about a run to a file when the run is over, however it ended.
final class PageFile: RunDisplay {
    private struct State {
        var heading: RunHeading?
        var record = RunRecord()
    }

    private let target: PageTarget
    private let clock = ContinuousClock()
    private let start = ContinuousClock().now
    private let state = Mutex(State())

    init(_ path: String) {
        target = PageTarget(path, of: "report")
    }

    /// - Throws: `Diagnostic` when the file cannot be written.
    func check() throws { try target.check() }

    func begin(_ heading: RunHeading) {
        state.withLock { $0.heading = heading }
    }

    func report(_ event: RunEvent) {
        state.withLock { $0.record.take(event, at: seconds) }
    }

    func end(_ ending: RunEnding) {
        let page = state.withLock { state -> ReportPage? in
            state.record.end(at: seconds)
            return state.heading.map { heading in
                ReportPage(heading: heading, record: state.record, ending: ending, seconds: seconds)
            }
        }
        guard let page else { return }
        do {
            try target.write(page.html)
        } catch {
            Terminal.printError("\(error)")
        }
    }

    private var seconds: Double { (clock.now - start) / .seconds(1) }
}
