import Engine

/// A recovery as it was begun, or is about to be: what all members write down of it.
struct RecoveryIntent: Hashable, Sendable {
    /// Its name: when it was begun, `20261122T150405Z`. What is set aside has it in its name.
    var id: String
    /// The member that recovers.
    var host: String
    /// The system identifier of the cluster.
    var system: String
    var target: RecoveryTarget
    /// The label of the backup.
    var backup: String
    /// On which the target is looked for, one after the other.
    var timelines: [Int]
    /// Whether the old data is given up at once.
    var discards: Bool
    /// How far the log of the old cluster came, and when.
    var end: LogPosition?
    var moment: Moment?

    /// What of it stands in a marker.
    var values: [(key: String, value: String)] {
        [
            ("id", id), ("host", host), ("system", system), ("target", target.text), ("backup", backup),
            ("timelines", timelines.map(String.init).joined(separator: " ")), ("discards", discards ? "yes" : "no"),
            ("end", end?.description ?? ""),
            ("moment", moment?.literal ?? ""),
        ]
    }

    /// Whether a marker says the same.
    func stands(in marker: RecoveryMarker.Answer) -> Bool { values.allSatisfy { marker[$0.key] == $0.value } }

    /// - Returns: nil for a marker without a recovery, or one that a person has changed.
    init?(_ marker: [String: String]) {
        // What stands there is another host's word, and the name becomes a part of paths and of a program for sed.
        guard let id = marker["id"], id.wholeMatch(of: /[0-9A-Za-z]+/) != nil, let host = marker["host"],
            let system = marker["system"],
            let target = marker["target"].flatMap({ RecoveryTarget(text: $0) }), let backup = marker["backup"],
            let timelines = marker["timelines"]?.split(separator: " ").compactMap({ Int($0) })
        else { return nil }
        self.init(
            id: id, host: host, system: system, target: target, backup: backup, timelines: timelines,
            discards: marker["discards"] == "yes", end: marker["end"].flatMap { LogPosition($0) },
            moment: marker["moment"].flatMap { try? Moment($0) })
    }

    init(
        id: String, host: String, system: String, target: RecoveryTarget, backup: String, timelines: [Int],
        discards: Bool, end: LogPosition?, moment: Moment?
    ) {
        self.id = id
        self.host = host
        self.system = system
        self.target = target
        self.backup = backup
        self.timelines = timelines
        self.discards = discards
        self.end = end
        self.moment = moment
    }
}

extension RecoveryTarget {
    /// Reads what ``text`` wrote. A name may have a comma in it.
    init?(text: String) {
        var words = text
        func take(_ key: String) -> String? {
            guard let range = words.ranges(of: ", \(key) ").last else { return nil }
            let value = String(words[range.upperBound...])
            words = String(words[..<range.lowerBound])
            return value
        }
        let backup = take("backup")
        let timeline = take("timeline").flatMap { Int($0) }
        let isExclusive = words.hasSuffix(", exclusive")
        if isExclusive { words.removeLast(", exclusive".count) }
        let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
        let point: Point? =
            switch (parts.first, parts.last) {
            case ("time", let value?): (try? Moment(value)).map { .time($0) }
            case ("lsn", let value?): LogPosition(value).map { .position($0) }
            case ("xid", let value?): UInt64(value).map { .transaction($0) }
            case ("name", let value?): .name(value)
            case ("immediate", _): .immediate
            case ("latest", _): .latest
            default: nil
            }
        guard let point else { return nil }
        self.init(point, isExclusive: isExclusive, timeline: timeline, backup: backup)
    }
}
