import Diagnostics
import Inventory
import YAML

extension ClusterConfiguration.Patroni {
    /// What Patroni writes to the journal, or to files. Nil is what Patroni does by itself.
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
        /// `patroni_log_max_queue_size`: how many messages wait at most.
        public var queueSize: Int?
        /// `patroni_log_destination: logfile`; nil for the journal.
        public var files: Files?

        /// The files that it writes, one after another.
        public struct Files: Sendable, Equatable {
            /// `patroni_log_dir`.
            public let directory: String
            /// `patroni_log_file_num`: how many old ones are kept.
            public let count: Int
            /// `patroni_log_file_size`, bytes: from which size on the next one is begun.
            public let size: Int

            /// The newest one. Patroni names it after a part of itself.
            var newest: String { directory + "/patroni.log" }
        }

        /// Where the messages go.
        enum Destination: String, CaseIterable, YAMLDecodable {
            case journal = "stderr"
            case files = "logfile"
        }

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
        queueSize = variables.optional("patroni_log_max_queue_size")
        let destination: Destination = variables.optional("patroni_log_destination") ?? .journal
        let directory = variables.text("patroni_log_dir") ?? "/var/log/patroni"
        let count = variables.optional("patroni_log_file_num") ?? 4
        let size = variables.optional("patroni_log_file_size") ?? 25_000_000
        if destination == .files { files = Files(directory: directory, count: count, size: size) }
        if directory.wholeMatch(of: /\/var\/log(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+/) == nil {
            variables.diagnostics.report(
                "'\(directory)' is no directory of logs", at: variables.location(of: "patroni_log_dir"),
                remedy: "choose one below /var/log/")
        }
        for (name, value, least) in [
            ("patroni_log_file_num", count, 0), ("patroni_log_file_size", size, 65_536),
            ("patroni_log_max_queue_size", queueSize ?? 1000, 1),
        ] where value < least {
            variables.diagnostics.report(
                "\(name) \(value) is too little", at: variables.location(of: name), remedy: "write \(least) or more")
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
