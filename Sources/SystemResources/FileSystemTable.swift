import Engine

/// `/etc/fstab`: which file systems and swap spaces a host has after its next boot.
enum FileSystemTable {
    private static let path = "/etc/fstab"

    static var entry: PathEntry { PathEntry(path) }

    /// The edit of the one line about something, after which systemd reads the table again.
    ///
    /// - Parameters:
    ///   - order: what is done, without the name of the file.
    ///   - column: in which field of the line its subject stands, counted from 1.
    ///   - subject: what stands in that field.
    ///   - fields: of the line, as they are meant; nil when there shall be none.
    static func edit(_ order: String, column: Int, subject: String, fields: [String]?) -> TextEdit {
        let line = fields.map { $0.map(MountedAt.escaped).joined(separator: " ") }
        let rule = KeyedLines.Rule(subject: MountedAt.escaped(subject), line: line)
        return TextEdit(
            path: path, createsFile: true, summary: "\(order) \(path)", afterwards: "systemctl daemon-reload",
            edit: KeyedLines(key: .field(column), rules: [rule]).edited)
    }
}
