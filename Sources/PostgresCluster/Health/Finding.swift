/// Something about a cluster that is not as it should be.
public struct Finding: Encodable, Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, CaseIterable, Encodable, Comparable, Sendable {
        /// It does not serve, or data is in danger.
        case critical
        /// It serves, and will not for long, or not after the next failure.
        case warning
        /// It should be known.
        case note

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Severity.allCases.firstIndex(of: self) ?? 0 }
    }

    public let name: Name
    public let severity: Severity
    /// What was found, as a sentence.
    public let text: String
    /// What to do about it, as an order.
    public let remedy: String

    public init(_ name: Name, _ severity: Severity, _ text: String, _ remedy: String) {
        self.name = name
        self.severity = severity
        self.text = text
        self.remedy = remedy
    }
}
