/// Puts the messages of many hosts into one order as they arrive.
struct LogMerge: Sendable {
    private struct Source {
        var rest: [UInt8] = []
        var zone = "+0000"
        var last: Moment?
        var isCurrent = false
    }

    private var sources: [String: Source]
    /// Since the messages before were taken, and since before that.
    private var new: [LogEntry] = []
    private var waiting: [LogEntry] = []
    private let since: Moment

    init(hosts: [String], since: Moment) {
        sources = Dictionary(uniqueKeysWithValues: hosts.map { ($0, Source()) })
        self.since = since
    }

    /// Takes a piece of what ``LogScript`` prints.
    mutating func add(_ bytes: [UInt8], from host: String) {
        let newline = UInt8(ascii: "\n")
        guard var source = sources[host] else { return }
        var pieces = bytes.split(separator: newline, omittingEmptySubsequences: false)
        guard let rest = pieces.popLast() else { return }
        for piece in pieces {
            read(source.rest + piece, from: host, &source)
            source.rest = []
        }
        source.rest += rest
        sources[host] = source
    }

    /// Counts a host out that prints no more.
    mutating func end(_ host: String) { sources[host]?.isCurrent = true }

    /// What can be told by now: once all hosts have told the past, what has waited for the others since the last call.
    mutating func take() -> [LogEntry] {
        guard sources.values.allSatisfy(\.isCurrent) else { return [] }
        defer { (waiting, new) = (new, []) }
        return Self.ordered(waiting)
    }

    /// Everything that is left.
    mutating func takeAll() -> [LogEntry] {
        defer { (waiting, new) = ([], []) }
        return Self.ordered(waiting + new)
    }

    private mutating func read(_ line: [UInt8], from host: String, _ source: inout Source) {
        if line.first == UInt8(ascii: "{") {
            if let entry = LogEntry(journal: line, of: host) { new.append(entry) }
            return
        }
        let text = String(decoding: line, as: UTF8.self)
        if text == LogScript.end {
            source.isCurrent = true
        } else if text.hasPrefix(LogScript.zoneMark) {
            source.zone = String(text.dropFirst(LogScript.zoneMark.count))
        } else if text.hasPrefix(LogScript.fileMark) {
            let line = String(text.dropFirst(LogScript.fileMark.count))
            guard let entry = LogEntry(file: line, of: host, zone: source.zone, after: source.last) else { return }
            source.last = entry.time
            if entry.time >= since { new.append(entry) }
        }
    }

    /// Messages of one moment stay in the order in which they came.
    private static func ordered(_ entries: [LogEntry]) -> [LogEntry] {
        entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
}
