import Diagnostics
import Engine
import FoundationEssentials
import Synchronization
import SystemPackage

/// Writes a page about a run to a file when the run is over, however it ended.
final class PageFile: RunDisplay {
    private struct State {
        var heading: RunHeading?
        var record = RunRecord()
    }

    private let path: String
    private let clock = ContinuousClock()
    private let start = ContinuousClock().now
    private let state = Mutex(State())

    init(_ path: String) {
        self.path = path
    }

    /// - Throws: `Diagnostic` when the file cannot be written.
    func check() throws {
        do {
            try FilePath(path).checkWritable()
        } catch let error as Errno {
            throw Diagnostic(
                "the report cannot be written to '\(path)': \(error)",
                remedy: "name a file in a folder that you may write to")
        }
    }

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
            try Data(page.html.description.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            Terminal.printError("the report could not be written to '\(path)': \(error)")
        }
    }

    private var seconds: Double { (clock.now - start) / .seconds(1) }
}

extension FilePath {
    /// Makes sure that a file can take this place, and leaves everything as it was.
    ///
    /// - Throws: `Errno`.
    fileprivate func checkWritable() throws {
        var isDirectory = false
        let exists = FileManager.default.fileExists(atPath: string, isDirectory: &isDirectory)
        if exists, isDirectory { throw Errno.isDirectory }
        let neighbour = removingLastComponent().appending(".drover-\(UInt32.random(in: 0 ... .max))")
        try FileDescriptor.open(
            neighbour, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite
        ).close()
        try FileManager.default.removeItem(atPath: neighbour.string)
    }
}
