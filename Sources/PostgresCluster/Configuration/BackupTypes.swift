import Diagnostics
import Inventory
import Secrets
public import YAML

extension ClusterConfiguration.Backups.Storage: YAMLDecodable {
    public init(yaml node: YAMLNode) throws {
        let text = try String(yaml: node)
        guard let storage = Self(rawValue: text) else {
            let words = Self.allCases.map(\.rawValue)
            throw Diagnostic(
                text == "sftp" ? "pgBackRest 2.45 of Debian 12 has no SFTP" : "unknown value '\(text)'",
                at: node.location,
                remedy: Suggestion.remedy(for: text, among: words) ?? "write one of \(words.joined(separator: ", "))")
        }
        self = storage
    }
}
extension ClusterConfiguration.ReplicaMethod: YAMLDecodable {}

extension BackupOption: YAMLDecodable {
    /// `{ option: process-max, value: 4 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "an option of pgBackRest")
        let name: String? = reader.required("option")
        let value: YAMLNode? = reader.required("value")
        let (option, found) = try reader.finish(name, value)
        if option.wholeMatch(of: /repo([2-9]|[1-9][0-9]+)-.*/) != nil {
            throw Diagnostic(
                "'\(option)': a second repository is not supported", at: node.location,
                remedy: "write the options of one, repo1-…, and copy it elsewhere with other means")
        }
        guard let kind = BackupOption.kinds[option] ?? BackupOption.unchecked(option) else {
            throw Diagnostic(
                "unknown option '\(option)' of pgBackRest", at: node.location,
                remedy: Suggestion.remedy(for: option, among: BackupOption.kinds.keys.sorted()))
        }
        var text = MaskedText()
        if case .secret = kind { text.append(try Secret(yaml: found)) } else { text.append(try String(yaml: found)) }
        if let remedy = kind.complaint(about: text.reveal()) {
            throw Diagnostic("'\(text)' cannot be '\(option)'", at: found.location, remedy: remedy)
        }
        self.init(name: option, value: text)
    }
}

/// `pgbackrest_conf`: options under `global` and under `stanza`, which says more.
struct BackupOptions: YAMLDecodable, Equatable {
    var options: [BackupOption] = []
    /// The names of those that follow from the rest of the inventory, or that pgBackRest 2.45 does not have.
    private(set) var ignored: [String] = []
    /// The names of the options whose values Drover does not check.
    var unchecked: [String] { options.map(\.name).filter { BackupOption.kinds[$0] == nil } }

    init() {}

    init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "the configuration of pgBackRest")
        let sections: [[YAMLNode]?] = [reader.optional("global"), reader.optional("stanza")]
        try reader.finish()
        var diagnostics = Diagnostics()
        for section in sections {
            var names: Set<String> = []
            for node in section ?? [] {
                if let name = node["option"]?.text, BackupOption.isIgnored(name) {
                    ignored.append(name)
                    continue
                }
                guard let option = try diagnostics.collect({ try BackupOption(yaml: node) }) else { continue }
                if BackupOption.isList(option.name) {
                    append(option)
                    continue
                }
                guard names.insert(option.name).inserted else {
                    throw Diagnostic("'\(option.name)' is there twice", at: node.location, remedy: "set it once")
                }
                set(option)
            }
        }
        try diagnostics.throwIfAny()
    }

    /// Adds an option that may be there several times.
    mutating func append(_ option: BackupOption) { options.append(option) }

    /// Puts an option in the place of an earlier one of its name.
    mutating func set(_ option: BackupOption) {
        if let index = options.firstIndex(where: { $0.name == option.name }) {
            options[index] = option
        } else {
            options.append(option)
        }
    }
}

extension BackupSchedule: YAMLDecodable {
    /// `{ full: 'Sun *-*-* 01:00', incr: none }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "the schedule of backups")
        func moment(_ key: String, _ customary: String?) -> String? {
            guard let text: String = reader.optional(key) else { return customary }
            if text == "none" { return nil }
            if text.wholeMatch(of: /[A-Za-z0-9*][A-Za-z0-9*.,:\/~ _-]*/) == nil {
                reader.diagnostics.report(
                    "'\(text)' is no time for backups", at: node.location,
                    remedy: "write it as systemd does, such as 'Sun *-*-* 01:00', or none")
            }
            return text
        }
        let customary = BackupSchedule()
        let schedule = BackupSchedule(
            full: moment("full", customary.full), differential: moment("diff", customary.differential),
            incremental: moment("incr", customary.incremental))
        try reader.finish()
        self = schedule
    }
}
