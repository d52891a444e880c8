/// Times of backups that never come: a test that runs at one o'clock would otherwise find a backup more.
enum NoTimers {
    private static let never = "'2099-01-01 01:00'"

    static let pgBackRest = "pgbackrest_schedule: { full: \(never), diff: \(never), incr: \(never) }"
    static let walG = "wal_g_schedule: { full: \(never), diff: \(never), incr: \(never) }"
}
