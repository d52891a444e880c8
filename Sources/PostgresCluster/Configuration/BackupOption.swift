import Diagnostics
public import Secrets

/// An option of pgBackRest.
public struct BackupOption: Sendable, Equatable {
    public let name: String
    public let value: MaskedText

    /// Whether it is about the repository, and so only for the host that reads and writes it.
    var isOfRepository: Bool { name.hasPrefix("repo1-") }
}

extension BackupOption {
    /// What an option takes.
    enum Kind {
        case flag
        case number(ClosedRange<Int>)
        case size
        case word([String])
        case path
        case text
        case secret
        /// A parameter of PostgreSQL and its value, besides those that a recovery itself sets.
        case recoveryParameter

        /// - Returns: what is expected, when `text` is not it.
        func complaint(about text: String) -> String? {
            switch self {
            case .flag: ["y", "n"].contains(text) ? nil : "write y or n"
            case .number(let range):
                Int(text).map(range.contains) == true ? nil : "write \(range.lowerBound) to \(range.upperBound)"
            case .size:
                text.wholeMatch(of: /[1-9][0-9]*(B|KB|MB|GB|TB|KiB|MiB|GiB|TiB)?/) == nil
                    ? "write a number of bytes, or one with a unit such as 4MiB" : nil
            case .word(let words):
                words.contains(text) ? nil : "write one of \(words.joined(separator: ", "))"
            case .path:
                text.wholeMatch(of: /(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+/) == nil ? "write an absolute path" : nil
            case .recoveryParameter:
                text.wholeMatch(of: /(?!restore_command|recovery_target)[a-z_]+=[ -~]+/) == nil
                    ? "write NAME=VALUE; restore_command and recovery_target… follow from the recovery" : nil
            case .text, .secret:
                text.wholeMatch(of: /[!-~]([ -~]*[!-~])?/) == nil
                    ? "write one line of ASCII without blanks at its ends" : nil
            }
        }
    }

    /// The options that an inventory may set, with what pgBackRest 2.45 takes for them (`pgbackrest help backup`).
    static let kinds: [String: Kind] = [
        "repo1-path": .path, "repo1-retention-full": .number(1...9_999_999),
        "repo1-retention-full-type": .word(["count", "time"]), "repo1-retention-diff": .number(1...9_999_999),
        "repo1-retention-archive": .number(1...9_999_999),
        "repo1-retention-archive-type": .word(["full", "diff", "incr"]),
        "repo1-retention-history": .number(0...9_999_999), "repo1-cipher-pass": .secret, "repo1-bundle": .flag,
        "repo1-bundle-size": .size, "repo1-bundle-limit": .size, "repo1-hardlink": .flag,
        "repo1-s3-bucket": .text, "repo1-s3-endpoint": .text, "repo1-s3-region": .text, "repo1-s3-key": .secret,
        "repo1-s3-key-secret": .secret, "repo1-s3-key-type": .word(["shared", "auto", "web-id"]),
        "repo1-s3-role": .text, "repo1-s3-token": .secret, "repo1-s3-kms-key-id": .text,
        "repo1-s3-uri-style": .word(["host", "path"]), "repo1-storage-host": .text,
        "repo1-storage-port": .number(1...65_535), "repo1-storage-ca-file": .path, "repo1-storage-ca-path": .path,
        "repo1-storage-verify-tls": .flag,
        "repo1-gcs-bucket": .text, "repo1-gcs-endpoint": .text, "repo1-gcs-key": .path,
        "repo1-gcs-key-type": .word(["auto", "service"]),
        "repo1-azure-account": .text, "repo1-azure-container": .text, "repo1-azure-endpoint": .text,
        "repo1-azure-key": .secret, "repo1-azure-key-type": .word(["shared", "sas"]),
        "repo1-azure-uri-style": .word(["host", "path"]), "recovery-option": .recoveryParameter,
        "compress-type": .word(["none", "gz", "lz4", "zst", "bz2"]), "compress-level": .number(0...9),
        "process-max": .number(1...999), "start-fast": .flag, "stop-auto": .flag, "resume": .flag, "delta": .flag,
        "archive-async": .flag, "archive-copy": .flag, "checksum-page": .flag, "archive-push-queue-max": .size,
        "archive-get-queue-max": .size, "buffer-size": .size, "archive-timeout": .number(1...86_400),
        "db-timeout": .number(1...604_800), "io-timeout": .number(1...3600),
        "protocol-timeout": .number(1...604_800), "log-level-console": .word(logLevels),
        "log-level-file": .word(logLevels), "spool-path": .path,
    ]

    private static let logLevels = ["off", "error", "warn", "info", "detail", "debug", "trace"]

    /// How an option is checked that is none of those: not at all, unless it looks like a slip of the pen.
    static func unchecked(_ name: String) -> Kind? {
        name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil && Suggestion.nearest(to: name, among: kinds.keys) == nil
            ? .text : nil
    }

    /// Whether it may be there several times.
    static func isList(_ name: String) -> Bool {
        [
            "recovery-option", "link-map", "tablespace-map", "db-include", "db-exclude", "exclude",
        ].contains(name)
    }

    /// Whether it is left out: it follows from the rest of the inventory, or came after pgBackRest 2.45.
    static func isIgnored(_ name: String) -> Bool { isDerived(name) || ["repo1-block"].contains(name) }

    /// Whether it follows from the rest of the inventory.
    private static func isDerived(_ name: String) -> Bool {
        ["repo1-type", "repo1-cipher-type", "backup-standby", "log-path", "lock-path"].contains(name)
            || name.hasPrefix("repo1-host") || name.wholeMatch(of: /pg[0-9]+-.*/) != nil
    }

    /// What is set where the inventory is silent. A backup need not wait for the next checkpoint; one that was killed is
    /// no hindrance to the next.
    static func defaults(for storage: ClusterConfiguration.Backups.Storage, of user: String) -> [BackupOption] {
        let path = storage == .posix ? ClusterConfiguration.Backups.directory(in: "lib", of: user) : "/pgbackrest"
        let values = [
            ("repo1-path", path), ("repo1-retention-full", "2"), ("repo1-bundle", "y"), ("compress-type", "zst"),
            ("process-max", "2"), ("start-fast", "y"), ("stop-auto", "y"),
        ]
        return values.map { BackupOption(name: $0.0, value: MaskedText($0.1)) }
    }
}
