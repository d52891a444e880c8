import Drover

/// `/etc/fstab`: which file systems and swap spaces a host has after its next boot.
enum FileSystemTable {
    private static let path = "/etc/fstab"

    static var entry: PathEntry { PathEntry(path) }

    /// The edit of the one line about something, after which systemd reads the table again.
    ///
    /// - Parameters:
    ///   - order: what is done, without the name of the file.
    ///   - column: in which field of the line its subject stands, counted from 1.
    ///   - line: nil when there shall be none.
    static func edit(_ order: String, column: Int, subject: String, line: String?) -> TextEdit {
        TextEdit(
            path: path, createsFile: true, summary: "\(order) \(path)", afterwards: "systemctl daemon-reload",
            edit: KeyedLines(key: .field(column), rules: [.init(subject: subject, line: line)]).edited)
    }
}
