import Diagnostics
import Inventory
import SystemResources
import YAML

extension ClusterConfiguration.WALG {
    /// Where the settings stand on a member: WAL-G looks there by itself, too.
    static let path = "/var/lib/postgresql/.walg.json"

    /// Nil when the inventory does not want WAL-G, or a fault was reported.
    ///
    /// - Parameters:
    ///   - directory: of the inventory, where relative paths begin.
    ///   - backups: those of pgBackRest; nil without.
    init?(
        _ variables: inout Variables, members: [Node], besides backups: ClusterConfiguration.Backups?,
        directory: String
    ) {
        guard variables.optional("wal_g_install") ?? false else {
            variables.ignore(
                "wal_g_package", "wal_g_file", "wal_g_repo_shared", "wal_g_retention_full", "wal_g_schedule",
                "wal_g_json",
                "wal_g_path")
            return nil
        }
        let package = variables.text("wal_g_package")
        let file = variables.text("wal_g_file")
        let isShared = variables.optional("wal_g_repo_shared") ?? false
        let retention = variables.optional("wal_g_retention_full") ?? 4
        let schedule: BackupSchedule = variables.optional("wal_g_schedule") ?? BackupSchedule()
        let given: WALGOptions? = variables.optional("wal_g_json")
        let program = variables.program(default: file == nil ? "/usr/bin/wal-g" : "/usr/local/bin/wal-g")
        let options = WALGOptions(WALGOption.customary).replaced(by: given?.options ?? [])
        let place = variables.location(of: "wal_g_install")
        if backups != nil {
            variables.diagnostics.report(
                "the log is archived by WAL-G or by pgBackRest, and not by both", at: place,
                remedy: "set wal_g_install or pgbackrest_install to false")
        }
        variables.checkStore(given?.options ?? [], isShared: isShared || members.count == 1, at: place)
        if retention < 1 {
            variables.diagnostics.report(
                "\(retention) full backups cannot stay", at: variables.location(of: "wal_g_retention_full"),
                remedy: "write 1 or more")
        }
        guard let origin = variables.origin(package: package, file: file, in: directory, at: place) else { return nil }
        self.init(
            program: program, origin: origin, options: options, schedule: schedule, retention: retention,
            source: nil)
    }
}

extension Variables {
    /// `wal_g_path`: a path; behind it may stand what the other tools need to find the settings.
    fileprivate mutating func program(default customary: String) -> String {
        let path = text("wal_g_path") ?? customary
        let words = path.split(separator: " ").map(String.init)
        let isFit = words.count == 1 || Array(words.dropFirst()) == ["--config", ClusterConfiguration.WALG.path]
        guard let program = words.first, isFit, program.wholeMatch(of: /(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+/) != nil
        else {
            diagnostics.report(
                "'\(path)' cannot be wal_g_path", at: location(of: "wal_g_path"),
                remedy: "write the absolute path of the program; its settings are in \(ClusterConfiguration.WALG.path)")
            return customary
        }
        return program
    }

    fileprivate mutating func checkStore(_ options: [WALGOption], isShared: Bool, at place: SourceLocation?) {
        let place = location(of: "wal_g_json") ?? place
        let found = options.map(\.name).filter(WALGOption.prefixes.contains)
        switch found.count {
        case 0:
            diagnostics.report(
                "nothing says where WAL-G keeps the backups", at: place,
                remedy: "write one of \(WALGOption.prefixes.joined(separator: ", ")) into wal_g_json")
        case 1: break
        default:
            diagnostics.report(
                "the backups would be at several places: \(found.joined(separator: ", "))", at: place,
                remedy: "leave one of them in wal_g_json")
        }
        if found == ["WALG_FILE_PREFIX"], !isShared {
            diagnostics.report(
                "the members would each have an archive of their own", at: place,
                remedy:
                    "write another prefix, or say wal_g_repo_shared: true when the folder is on a file system that all "
                    + "of them have mounted")
        }
    }

    /// Nothing is fetched from the internet: the program is the operator's own.
    fileprivate mutating func origin(
        package: String?, file: String?, in directory: String, at place: SourceLocation?
    ) -> ClusterConfiguration.WALG.Origin? {
        switch (package, file) {
        case (nil, nil):
            diagnostics.report(
                "nothing says where WAL-G comes from, which Debian does not have", at: place,
                remedy:
                    "write wal_g_file: the program on this machine, or wal_g_package: a package of a repository of yours"
            )
        case (.some, .some):
            diagnostics.report(
                "WAL-G comes from a package or from a file, and not from both", at: location(of: "wal_g_file"),
                remedy: "take one of them out")
        case (let package?, nil):
            if package.wholeMatch(of: /[a-z0-9][a-z0-9+.-]+/) != nil { return .package(package) }
            diagnostics.report(
                "'\(package)' cannot name a package", at: location(of: "wal_g_package"),
                remedy: "use lower-case letters, digits, '+', '-' and '.'")
        case (nil, let file?):
            do {
                return .file(try LocalFile(file.hasPrefix("/") ? file : directory + file))
            } catch {
                diagnostics.report(
                    error.message, at: location(of: "wal_g_file"), remedy: "name the program on this machine")
            }
        }
        return nil
    }
}
