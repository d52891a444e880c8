import Diagnostics

/// Where directories of PostgreSQL can be: that of its data and that of its logs.
///
/// The one above the data belongs to `postgres`: Patroni makes the data directory in it, and recovery and removal rename it there.
/// So that one must be PostgreSQL's own, too.
enum PostgresPlace {
    /// Directories of the system: nothing in them is data of PostgreSQL.
    static let system = [
        "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys", "/usr",
        "/var/backups",
        "/var/lib/dpkg", "/var/lib/drover",
    ]
    /// Directories that the system empties.
    private static let volatile = ["/tmp", "/var/run", "/var/tmp"]
    /// Directories that PostgreSQL shares with others.
    private static let shared: Set = [
        "", "/home", "/media", "/mnt", "/opt", "/srv", "/var", "/var/cache", "/var/lib", "/var/local", "/var/log",
        "/var/opt",
        "/var/spool",
    ]

    /// Why a path cannot be that of the data; nil when it can.
    static func fault(ofData path: String, at location: SourceLocation?) -> Diagnostic? {
        if let fault = fault(of: path, at: location, example: "/pgdata/main") { return fault }
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        guard shared.contains(parent) else { return nil }
        return Diagnostic(
            "'\(path)' is in \(parent.isEmpty ? "/" : parent), which cannot belong to postgres alone", at: location,
            remedy: "put a directory of PostgreSQL's own between them: \(path)/main")
    }

    /// Why a path cannot be that of the logs; nil when it can.
    static func fault(ofLogs path: String, at location: SourceLocation?) -> Diagnostic? {
        if let fault = fault(of: path, at: location, example: "/pglog/main") { return fault }
        guard shared.contains(path) else { return nil }
        return Diagnostic(
            "'\(path)' cannot belong to postgres alone", at: location,
            remedy: "put the logs into a directory of their own: \(path)/postgresql")
    }

    private static func fault(of path: String, at location: SourceLocation?, example: String) -> Diagnostic? {
        guard path.wholeMatch(of: /(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+/) != nil else {
            return Diagnostic(
                "'\(path)' is no path of a directory of PostgreSQL", at: location,
                remedy: "write an absolute path of letters, digits, '_', '.' and '-', without a slash at the end")
        }
        guard (system + volatile).contains(where: { (path + "/").hasPrefix($0 + "/") }) else { return nil }
        return Diagnostic(
            "'\(path)' is in a directory of the system", at: location,
            remedy: "choose one of PostgreSQL's own, such as \(example)")
    }
}
