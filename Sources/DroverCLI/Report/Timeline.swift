import Engine

/// A run as a picture: a row for each host, a bar for each step, where time goes to the right. Lengths are those of the
/// picture.
struct Timeline: Hashable {
    struct Bar: Hashable {
        enum Kind: Hashable {
            /// A step, of the play with this place in ``Timeline/plays``.
            case step(play: Int)
            case failedStep
            /// Something else that a host was busy with: its name.
            case phase(String)
        }

        let row: Int
        let x: Double
        let width: Double
        let kind: Kind
        /// What it is, and for how long.
        let title: String
    }

    /// A place on the axis.
    struct Mark: Hashable {
        let x: Double
        let label: String
    }

    /// How wide the picture of the whole run is.
    static let width = 1000.0
    /// Too short a bar would not be seen.
    private static let leastWidth = 2.0
    /// How many marks the axis has, at most.
    private static let tickLimit = 10

    let hosts: [String]
    let plays: [String]
    let bars: [Bar]
    /// When the plan was there, and when the plays began.
    let barriers: [Mark]
    let ticks: [Mark]

    /// - Parameter seconds: how long the run took.
    init(_ record: RunRecord, seconds: Double) {
        let scale = Self.width / max(seconds, 0.001)
        hosts = Self.unique(record.phases.map(\.host) + record.steps.map(\.host))
        plays = Self.unique(record.steps.map(\.play))
        let rows = Dictionary(uniqueKeysWithValues: zip(hosts, 0...))
        let colours = Dictionary(uniqueKeysWithValues: zip(plays, 0...))

        func bar(_ host: String, _ began: Double, _ ended: Double, _ kind: Bar.Kind, _ title: String) -> Bar {
            let width = min(Self.width, max(Self.leastWidth, (ended - began) * scale))
            return Bar(
                row: rows[host] ?? 0, x: min(began * scale, Self.width - width), width: width, kind: kind,
                title: "\(host): \(title), \(Text.seconds(ended - began))")
        }
        // Steps lie upon the phase of applying, and waiting is what is left empty.
        let phases = record.phases.filter { ![.waiting, .applying].contains($0.phase) }
        bars =
            phases.map { bar($0.host, $0.began, $0.ended, .phase($0.phase.name), $0.phase.words) }
            + record.steps.map { span in
                let failed = span.outcome == .failed
                return bar(
                    span.host, span.began, span.ended, failed ? .failedStep : .step(play: colours[span.play] ?? 0),
                    span.step.change.summary + (failed ? ", failed or interrupted" : ""))
            }
        let planned = record.planned.map { [Mark(x: $0 * scale, label: "the plan is shown")] } ?? []
        barriers = planned + record.plays.map { Mark(x: $0.began * scale, label: $0.name) }
        ticks = Self.ticks(seconds).map { Mark(x: $0 * scale, label: Self.label($0)) }
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Round times from 0 on.
    private static func ticks(_ seconds: Double) -> [Double] {
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]
        let step = steps.first { seconds / $0 < Double(tickLimit) } ?? (seconds / Double(tickLimit - 1)).rounded(.up)
        return (0..<tickLimit).map { Double($0) * step }.filter { $0 <= seconds }
    }

    /// `0.5 s`, `20 s`, `1:30`
    private static func label(_ seconds: Double) -> String {
        if seconds >= 60 { return Text.elapsed(seconds) }
        let tenths = Int((seconds * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
