import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Patroni {
    /// What Patroni writes to the journal. Nil is what Patroni does by itself.
    public struct Log: Sendable, Equatable {
        /// `patroni_log_level`.
        public var level: Level?
        /// `patroni_log_traceback_level`: from which level on a traceback is written.
        public var tracebackLevel: Level?
        /// `patroni_log_format`, `patroni_log_dateformat`.
        public var format: String?
        public var dateFormat: String?
        /// The levels of parts of Patroni: `patroni_log_loggers_urllib3`.
        public var loggers: [Logger] = []

        /// From which severity on something is written.
        public enum Level: String, CaseIterable, Sendable {
            case debug = "DEBUG", info = "INFO", warning = "WARNING", error = "ERROR", critical = "CRITICAL"
        }

        /// A part of Patroni, and its level.
        public struct Logger: Sendable, Equatable {
            public let name: String
            public let level: Level
        }

        /// Whether nothing is set.
        var isCustomary: Bool { self == Log() }
    }
}

extension ClusterConfiguration.Patroni.Log {
    init(_ variables: inout Variables) {
        level = variables.level("patroni_log_level")
        tracebackLevel = variables.level("patroni_log_traceback_level")
        format = variables.text("patroni_log_format")
        dateFormat = variables.text("patroni_log_dateformat")
        let parts = [
            ("patroni_log_loggers_patroni_postmaster", "patroni.postmaster"),
            ("patroni_log_loggers_urllib3", "urllib3"),
        ]
        loggers = parts.compactMap { variable, name in
            variables.level(variable).map { Logger(name: name, level: $0) }
        }
    }
}

extension Variables {
    /// A level in Python's words, whose case does not count.
    fileprivate mutating func level(_ name: String) -> ClusterConfiguration.Patroni.Log.Level? {
        guard let text = text(name) else { return nil }
        if let level = ClusterConfiguration.Patroni.Log.Level(rawValue: text.uppercased()) { return level }
        let words = ClusterConfiguration.Patroni.Log.Level.allCases.map { $0.rawValue.lowercased() }
        diagnostics.report(
            "'\(text)' is no level of messages", at: location(of: name),
            remedy: Suggestion.remedy(for: text, among: words) ?? "write one of \(words.joined(separator: ", "))")
        return nil
    }
}
