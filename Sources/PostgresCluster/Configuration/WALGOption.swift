import Diagnostics
import Inventory
public import Secrets
import YAML

/// A setting of WAL-G.
public struct WALGOption: Sendable, Equatable {
    public let name: String
    public let value: MaskedText

    /// What says where the backups are; one of them must be there (WAL-G, `docs/STORAGES.md`).
    static let prefixes = [
        "WALG_S3_PREFIX", "WALG_FILE_PREFIX", "WALG_GS_PREFIX", "WALG_AZ_PREFIX", "WALG_SWIFT_PREFIX",
        "WALG_SSH_PREFIX",
    ]

    /// What follows from the rest of the inventory.
    static let derived = ["PGDATA", "PGHOST", "PGPORT", "PGUSER", "PGPASSWORD", "PGDATABASE"]

    /// What is set where the inventory is silent. Between two full backups there are up to six that hold only what has
    /// changed; a segment that is in the archive is never replaced by another one.
    static let customary = [
        ("WALG_COMPRESSION_METHOD", "lz4"), ("WALG_DELTA_MAX_STEPS", "6"),
        ("WALG_PREFETCH_DIR", "/var/lib/postgresql/wal-g-prefetch"), ("WALG_PREVENT_WAL_OVERWRITE", "true"),
    ].map { WALGOption(name: $0.0, value: MaskedText($0.1)) }

    /// Whether a setting of this name must not be seen.
    static func isSecret(_ name: String) -> Bool {
        ["SECRET", "PASSWORD", "PASSPHRASE", "TOKEN", "ACCESS_KEY"].contains(where: name.contains)
            || name.hasSuffix("_KEY")
    }

    init(name: String, value: MaskedText) {
        self.name = name
        self.value = value
    }

    /// - Throws: `Diagnostic` for what it cannot be.
    init(_ name: String, at place: SourceLocation, value node: YAMLNode) throws {
        guard name.wholeMatch(of: /[A-Z][A-Z0-9_]*/) != nil else {
            throw Diagnostic(
                "'\(name)' is no setting of WAL-G", at: place, remedy: "write it as WAL-G does, such as WALG_S3_PREFIX")
        }
        guard !WALGOption.derived.contains(name) else {
            throw Diagnostic(
                "'\(name)' follows from the rest of the inventory", at: place, remedy: "take it out")
        }
        var text = MaskedText()
        if WALGOption.isSecret(name) || node.tag == YAMLNode.secretTag {
            text.append(try Secret(yaml: node))
        } else {
            text.append(try String(yaml: node))
        }
        if ["WALG_FILE_PREFIX", "WALG_PREFETCH_DIR"].contains(name),
            text.reveal().wholeMatch(of: /(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+/) == nil
        {
            throw Diagnostic("'\(text)' cannot be '\(name)'", at: node.location, remedy: "write an absolute path")
        }
        self.init(name: name, value: text)
    }
}

/// `wal_g_json`: a mapping of settings, or a list of `{ option, value }`.
struct WALGOptions: YAMLDecodable, Equatable {
    var options: [WALGOption] = []

    init(_ options: [WALGOption] = []) {
        self.options = options
    }

    init(yaml node: YAMLNode) throws {
        var diagnostics = Diagnostics()
        switch node.value {
        case .mapping(let entries) where node.tag == nil:
            for entry in entries {
                let option = try diagnostics.collect {
                    try WALGOption(entry.key.text ?? "", at: entry.key.location, value: entry.value)
                }
                if let option { options.append(option) }
            }
        case .sequence(let elements) where node.tag == nil:
            for element in elements {
                let option = try diagnostics.collect {
                    var reader = try MappingReader(element, what: "a setting of WAL-G")
                    let name: String? = reader.required("option")
                    let value: YAMLNode? = reader.required("value")
                    let (option, found) = try reader.finish(name, value)
                    return try WALGOption(option, at: element.location, value: found)
                }
                guard let option else { continue }
                if options.contains(where: { $0.name == option.name }) {
                    diagnostics.report("'\(option.name)' is there twice", at: element.location, remedy: "set it once")
                }
                options.append(option)
            }
        default: throw node.mismatch(expected: "a mapping for the settings of WAL-G")
        }
        try diagnostics.throwIfAny()
    }

    /// These, with others in the place of those of their name.
    func replaced(by others: [WALGOption]) -> [WALGOption] {
        let names = Set(others.map(\.name))
        return (options.filter { !names.contains($0.name) } + others).sorted { $0.name < $1.name }
    }
}
