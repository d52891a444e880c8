import Diagnostics
import Inventory
import SystemResources
import YAML

/// One of `pgbackrest_cron_jobs`: when cron would make a backup, and which.
struct BackupCronJob: Equatable {
    let kind: BackupKind
    /// As systemd writes it.
    let calendar: String
}

/// The same, or a job that cron would not run.
private struct GivenCronJob: YAMLDecodable, Equatable {
    let job: BackupCronJob?

    /// `{ name: full, minute: '00', hour: '3', weekday: '0', job: pgbackrest --stanza=demo --type=full backup }`, as Ansible's
    /// module `cron` names them.
    init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a job of cron")
        let command: String? = reader.required("job")
        let fields = ["minute", "hour", "day", "month", "weekday"].map { key -> String in reader.optional(key) ?? "*" }
        let isOff = (reader.optional("disabled") ?? false) || reader.optional("state") == "absent"
        for key in ["name", "file", "user"] { _ = reader.optional(key) as String? }
        let text = try reader.finish(command)
        guard !isOff else {
            job = nil
            return
        }
        guard let kind = Self.kind(of: text) else {
            throw Diagnostic(
                "'\(text)' makes no backup", at: node.location,
                remedy: "write 'pgbackrest --type=full backup', and anything else into a playbook of your own")
        }
        let schedule: CronSchedule
        do { schedule = try CronSchedule(fields.joined(separator: " "), of: "pgbackrest_cron_jobs") } catch {
            throw Diagnostic((error as? Diagnostic)?.message ?? "\(error)", at: node.location)
        }
        guard let calendar = schedule.calendar else {
            throw Diagnostic(
                "the times '\(schedule.text)' cannot be translated for systemd", at: node.location,
                remedy: "write pgbackrest_schedule: { \(kind.rawValue): 'Sun *-*-* 01:00' }")
        }
        job = BackupCronJob(kind: kind, calendar: calendar)
    }

    private static func kind(of command: String) -> BackupKind? {
        guard command.contains("pgbackrest"), command.contains(/\bbackup\b/) else { return nil }
        guard let type = command.firstMatch(of: /--type[= ]([a-z]+)/)?.1 else { return .incremental }
        return BackupKind(rawValue: String(type))
    }
}

extension Variables {
    /// `pgbackrest_schedule`, or what `pgbackrest_cron_jobs` would have cron do.
    mutating func backupSchedule() -> BackupSchedule {
        let name = "pgbackrest_cron_jobs"
        if let schedule: BackupSchedule = optional("pgbackrest_schedule") {
            ignore(name)
            return schedule
        }
        let given: [GivenCronJob]? = optional(name)
        guard let jobs = given?.compactMap(\.job), !jobs.isEmpty else { return BackupSchedule() }
        reportRepeated(jobs.map(\.kind.rawValue), in: name)
        func calendar(_ kind: BackupKind) -> String? { jobs.first { $0.kind == kind }?.calendar }
        let words = jobs.map { "\($0.kind.rawValue): '\($0.calendar)'" }
        notes.append(
            Diagnostic(
                "timers take the place of the jobs of cron: pgbackrest_schedule: { \(words.joined(separator: ", ")) }",
                at: location(of: name)))
        return BackupSchedule(
            full: calendar(.full), differential: calendar(.differential), incremental: calendar(.incremental))
    }
}
