import Secrets

/// What becomes of the settings of a server that becomes the leader of a cluster.
///
/// What all members must have in common goes into the configuration that they share, for Patroni takes it from nowhere else.
/// All else goes into `postgresql.base.conf` in the data directory, which Patroni's own file includes first: so it comes to
/// every replica with the data, and what the inventory says stands above it.
struct ExistingSettings {
    let server: ExistingServer.Answer
    /// What the inventory, and the backups, want.
    let declared: [ClusterConfiguration.Parameter]
    /// What Patroni is told to set on this member, whatever the server had: `listen_addresses`.
    let imposed: [ClusterConfiguration.Parameter]

    /// The value that Patroni 3.0.2 gives to what members have in common (`CMDLINE_OPTIONS` of `postgresql/config.py`), and
    /// the least one that it accepts.
    private static let common: [(name: String, value: String, least: Int?)] = [
        ("max_connections", "100", 25), ("max_locks_per_transaction", "64", 32), ("max_prepared_transactions", "0", 0),
        ("max_replication_slots", "10", 10), ("max_wal_senders", "10", 10), ("max_worker_processes", "8", 2),
        ("track_commit_timestamp", "off", nil), ("wal_keep_size", "128", 128), ("wal_level", "replica", nil),
        ("wal_log_hints", "on", nil),
    ]

    /// What is neither kept nor told of: where the files of the server are, which is Patroni's to say, and how a standby
    /// follows.
    private static let left: Set = [
        "archive_cleanup_command", "cluster_name", "config_file", "data_directory", "external_pid_file", "hba_file",
        "hot_standby", "ident_file", "listen_addresses", "password_encryption", "port", "primary_conninfo",
        "primary_slot_name", "promote_trigger_file", "recovery_end_command", "restore_command",
        "unix_socket_directories",
    ]

    static var names: [String] { common.map(\.name) + ["listen_addresses", "password_encryption"] }

    private func declaration(of name: String) -> String? { declared.last { $0.name.lowercased() == name }?.value }

    /// What of the shared configuration is taken over: where the inventory is silent, and Patroni would say something else.
    /// Senders and slots are never fewer than Patroni's own, since replicas need them.
    var shared: [ClusterConfiguration.Parameter] {
        ExistingSettings.common.compactMap { name, customary, least in
            guard declaration(of: name) == nil, let running = server.settings[name], name != "wal_log_hints" else {
                return nil
            }
            let text = running.running
            let isAccepted = least.map { Int(text) ?? 0 >= $0 } ?? ["on", "logical"].contains(text)
            guard isAccepted, text != customary else { return nil }
            return .init(name: name, value: name == "wal_keep_size" ? text + "MB" : text)
        }
    }

    /// What goes into `postgresql.base.conf`, by name.
    private var kept: [(name: String, value: String)] {
        let common = Set(ExistingSettings.common.map(\.name))
        return server.settings.compactMap { name, setting in
            guard let value = setting.file, !common.contains(name), !ExistingSettings.left.contains(name),
                !name.hasPrefix("recovery_")
            else { return nil }
            return (name, value)
        }.sorted { $0.name < $1.name }
    }

    var keptCount: Int { kept.count }

    /// The files that these settings name, without those that the packages of PostgreSQL bring.
    var files: [String] {
        kept.filter { $0.name.hasSuffix("_file") && $0.value.hasPrefix("/") && !$0.value.contains("ssl-cert-snakeoil") }
            .map(\.value).sorted()
    }

    /// The text of `postgresql.base.conf`. What runs a command, or logs in elsewhere, may hold a secret.
    var base: MaskedText {
        var text = MaskedText(
            "# Written by Drover: what the configuration of the server said before it became one of Patroni's.\n")
        for (name, value) in kept {
            text.append("\(name) = ")
            let isDelicate = ["command", "conninfo", "passphrase"].contains(where: name.contains)
            isDelicate
                ? text.append(Secret(ExistingSettings.quoted(value))) : text.append(ExistingSettings.quoted(value))
            text.append("\n")
        }
        return text
    }

    /// As `guc-file.l` of PostgreSQL 15 reads it.
    private static func quoted(_ value: String) -> String {
        let inner = value.unicodeScalars.map { scalar in
            switch scalar {
            case "'": "''"
            case "\\": "\\\\"
            case "\n": "\\n"
            default: String(scalar)
            }
        }
        return "'\(inner.joined())'"
    }

    /// What `ALTER SYSTEM` has set and is decided elsewhere from now on: it would win.
    var overriding: [String] {
        let elsewhere =
            Set(declared.map { $0.name.lowercased() }).union(ExistingSettings.common.map(\.name))
            .union(ExistingSettings.left)
        return server.settings.filter { $0.value.isBySystem && elsewhere.contains($0.key) }.keys.sorted()
    }

    /// What has another value than before, `wal_level minimal → replica`.
    var changes: [String] {
        let common = ExistingSettings.common.map { name, value, _ in
            ClusterConfiguration.Parameter(name: name, value: name == "wal_keep_size" ? value + "MB" : value)
        }
        var wanted: [String: String] = [:]
        for parameter in common + shared + imposed + declared { wanted[parameter.name.lowercased()] = parameter.value }
        return wanted.sorted { $0.key < $1.key }.compactMap { name, value in
            guard let setting = server.settings[name], !setting.value.equals(value) else { return nil }
            if setting.kind == "string", name != "listen_addresses" { return name }
            return "\(name) \(ExistingSettings.words(setting)) → \(value)"
        }
    }

    /// A value with its unit: `16384` of `8kB` is `128MB` to people.
    private static func words(_ setting: ExistingServer.Answer.Setting) -> String {
        guard let number = Int(setting.running), number > 0, let unit = setting.unit else { return setting.running }
        let kilobytes: [String: Int] = ["kB": 1, "8kB": 8, "MB": 1024]
        guard let size = kilobytes[unit] else { return setting.running + unit }
        let total = number * size
        return total.isMultiple(of: 1024) ? "\(total / 1024)MB" : "\(total)kB"
    }
}
