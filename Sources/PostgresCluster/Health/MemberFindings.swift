import Engine

/// Decides what is wrong with the servers of a cluster, from what they tell.
struct MemberFindings {
    /// The members in the order of the inventory, those that answer.
    let members: [(name: String, health: MemberHealth.Answer)]
    /// Whether Patroni is told to keep the writes of clients waiting for a replica.
    let isSynchronous: Bool

    var all: [Finding] {
        settings + archive + synchronisation + slots + wraparound + use
    }

    /// Those of which a test is true, as `pg1, pg2`; nil when there are none.
    private func names(where isMeant: (MemberHealth.Answer) -> Bool) -> String? {
        let names = members.filter { $0.health.isRunning && isMeant($0.health) }.map(\.name)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    private var leader: (name: String, health: MemberHealth.Answer)? {
        members.first { $0.health.isRunning && !$0.health.isInRecovery }
    }

    private var settings: [Finding] {
        var findings: [Finding] = []
        func check(
            _ parameter: String, is value: String, _ severity: Finding.Severity, _ consequence: String, _ remedy: String
        ) {
            guard let names = names(where: { $0.settings[parameter] == value }) else { return }
            findings.append(
                Finding(
                    .dataNotDurable, severity, "\(parameter) is \(value) on \(names): \(consequence)",
                    remedy))
        }
        check(
            "fsync", is: "off", .critical, "a host that loses its power loses the database",
            "set fsync to on in postgresql_parameters")
        check(
            "full_page_writes", is: "off", .critical, "a host that loses its power may leave torn pages",
            "set full_page_writes to on in postgresql_parameters")
        check(
            "autovacuum", is: "off", .warning, "tables grow, and transaction numbers run out",
            "set autovacuum to on in postgresql_parameters")
        check(
            "synchronous_commit", is: "off", .warning, "what clients are told is written may be lost by a crash",
            "set synchronous_commit to on; let single transactions turn it off that can bear it")
        if let names = names(where: { $0.settings["data_checksums"] == "off" && $0.settings["wal_log_hints"] == "off" })
        {
            findings.append(
                Finding(
                    .dataNotDurable, .warning,
                    "neither data_checksums nor wal_log_hints is on on \(names): a leader that comes back after a "
                        + "failover cannot be rewound, and is cloned anew",
                    "set wal_log_hints to on in postgresql_parameters"))
        }
        for (name, health) in members where health.checksumFailures > 0 {
            findings.append(
                Finding(
                    .checksumFailures, .critical,
                    "\(health.checksumFailures) pages with wrong checksums were read on \(name)",
                    "look for a failing disk; let another member lead, and clone this one anew: `patronictl reinit`"))
        }
        for (name, health) in members where !health.trust.isEmpty {
            let rules = health.trust.sorted().map { "'\($0)'" }.joined(separator: ", ")
            findings.append(
                Finding(
                    .trustRules, .critical, "\(name) lets in from elsewhere without a password: \(rules)",
                    "write scram-sha-256 in place of trust"))
        }
        return findings
    }

    /// Commands that end well and archive nothing: of each segment they say that it is safe.
    static func archivesNothing(_ command: String) -> Bool {
        let first = command.split(whereSeparator: { $0 == " " || $0 == ";" || $0 == "\t" }).first ?? ""
        let word = first.split(separator: "/").last ?? ""
        return ["true", ":", "date", "echo", "cd", "exit"].contains(word)
    }

    private var archive: [Finding] {
        guard let (name, health) = leader, health.settings["archive_mode"] ?? "off" != "off" else { return [] }
        let command = health.settings["archive_command"] ?? ""
        let hasLibrary = !(health.settings["archive_library"] ?? "").isEmpty
        if hasLibrary { return [] }
        if command.isEmpty || command == "(disabled)" {
            return [
                Finding(
                    .archivingDisabled, .critical,
                    "archive_mode is on on \(name) without an archive_command: the log is kept until the disk is "
                        + "full",
                    "apply deploy-cluster, if the inventory has backups; set them up (pgbackrest_install), or archive_mode to "
                        + "off, if not")
            ]
        }
        guard MemberFindings.archivesNothing(command) else { return [] }
        return [
            Finding(
                .archivingDisabled, .critical,
                "archive_command is '\(command)' on \(name): it archives nothing, and says that it has",
                "set up backups (pgbackrest_install), or archive_mode to off: nothing can be restored from such an archive"
            )
        ]
    }

    private var synchronisation: [Finding] {
        guard let (name, health) = leader, health.settings["synchronous_standby_names"] == "*" else { return [] }
        if isSynchronous {
            return [
                Finding(
                    .noSynchronousReplica, .critical,
                    "no replica may be written to synchronously: whoever writes on \(name) waits until one may",
                    "bring back a replica")
            ]
        }
        return [
            Finding(
                .noSynchronousReplica, .warning,
                "synchronous_standby_names is '*' on \(name): writes wait for whatever connects, and hang when that "
                    + "goes", "take it out, and set synchronous_mode: true, so that Patroni names the replicas")
        ]
    }

    private static let gigabyte = 1_073_741_824

    private var slots: [Finding] {
        members.flatMap { name, health in
            health.slots.compactMap { slot in
                let kept = "\(slot.retained / 1_048_576) MB of the log are kept for it"
                let drop = "bring back who uses it, or drop it: `SELECT pg_drop_replication_slot('\(slot.name)')`"
                return switch (slot.isActive, slot.state) {
                case (_, "lost"):
                    Finding(
                        .slots, .critical, "the slot \(slot.name) on \(name) has lost what it waits for",
                        "clone who uses it anew")
                case (_, "unreserved"):
                    Finding(
                        .slots, .critical, "the slot \(slot.name) on \(name) is about to lose what it waits for", drop)
                case (false, _) where slot.retained > MemberFindings.gigabyte:
                    Finding(.slots, .warning, "nobody uses the slot \(slot.name) on \(name), and \(kept)", drop)
                case (true, _) where slot.retained > 10 * MemberFindings.gigabyte:
                    Finding(
                        .slots, .warning, "who uses the slot \(slot.name) on \(name) is far behind: \(kept)",
                        "look what keeps it busy")
                default: nil
                }
            }
        }
    }

    /// PostgreSQL takes no more writes when 2^31 is near (documentation of 15, 25.1.5); it warns 40 million before.
    private static let limit = 2_147_483_648

    private var wraparound: [Finding] {
        guard let (name, health) = leader else { return [] }
        var findings: [Finding] = []
        for (database, age) in health.ages.sorted(by: { $0.key < $1.key }) {
            for (what, count) in [("transaction numbers", age.transactions), ("multixact numbers", age.groups)] {
                let percent = count / (MemberFindings.limit / 100)
                guard percent >= 50 else { continue }
                findings.append(
                    Finding(
                        .wraparound, percent >= 75 ? .critical : .warning,
                        "\(percent) % of the \(what) of the database \(database) are used up on \(name)",
                        "end old transactions and unused slots there, then `VACUUM (FREEZE)` its oldest tables"))
            }
        }
        for (sequence, percent) in health.sequences.sorted(by: { $0.key < $1.key }) {
            findings.append(
                Finding(
                    .sequence, percent >= 90 ? .critical : .warning,
                    "\(percent) % of the numbers of the sequence \(sequence) are used up",
                    "make it, and the columns that take its numbers, bigint"))
        }
        return findings
    }

    private var use: [Finding] {
        members.flatMap { name, health in
            var findings: [Finding] = []
            if let limit = health.settings["max_connections"].flatMap({ Int(quantity: $0) }),
                health.connections * 10 >= limit * 9
            {
                findings.append(
                    Finding(
                        .connections, .warning, "\(health.connections) of \(limit) connections of \(name) are in use",
                        "let clients go through the pooler, or raise max_connections"))
            }
            if health.isRunning, !health.hasPooler {
                findings.append(
                    Finding(
                        .pooler, health.isInRecovery ? .warning : .critical, "the pooler on \(name) does not answer",
                        "`drover apply deploy-cluster` starts it"))
            }
            if health.waiting.seconds >= 1 {
                findings.append(
                    Finding(
                        .poolerWaits, .warning,
                        "\(health.waiting.clients) clients of the pooler on \(name) wait for a connection, one for "
                            + "\(health.waiting.seconds) s",
                        "raise pgbouncer_default_pool_size, and max_connections with it"))
            }
            for (who, seconds) in health.transactions.sorted(by: { $0.key < $1.key }) {
                findings.append(
                    Finding(
                        .longTransaction, .warning,
                        "a transaction of \(who) has been open for \(seconds / 60) minutes on \(name): nothing that "
                            + "was deleted since is cleared away", "end it, or what has forgotten it"))
            }
            return findings
        }
    }
}
