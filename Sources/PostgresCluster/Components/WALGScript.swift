/// What goes into the program that the timers run.
struct WALGScript: ConfigurationFile {
    static let template = "wal-g.sh"
    static let path = "/usr/local/sbin/wal-g-backup"

    let program: String
    let settings: String
    /// The shell text that succeeds when this member leads.
    let leads: String
    let dataDirectory: String
    let retention: Int

    enum CodingKeys: String, CodingKey {
        case program, settings, leads, dataDirectory = "data_directory", retention
    }
}
