/// A family of metrics with its samples, as a text that a scraper reads.
///
/// Source: OpenMetrics 1.0, "Text format".
struct MetricFamily {
    enum Kind: String {
        case gauge, counter, info
    }

    struct Sample {
        /// In the order in which they are written.
        let labels: [(name: String, value: String)]
        let value: Int
    }

    let name: String
    let kind: Kind
    /// The last part of the name if that is a unit: `bytes`, `seconds`.
    var unit: String?
    let help: String
    let samples: [Sample]

    /// The lines of the family; none without a sample.
    var lines: [String] {
        guard !samples.isEmpty else { return [] }
        return ["# TYPE \(name) \(kind.rawValue)"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? [])
            + ["# HELP \(name) \(Self.escaped(help))"] + samples.map(line)
    }

    private func line(_ sample: Sample) -> String {
        let suffix =
            switch kind {
            case .gauge: ""
            case .counter: "_total"
            case .info: "_info"
            }
        let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        return "\(name)\(suffix){\(labels)} \(sample.value)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }
}
