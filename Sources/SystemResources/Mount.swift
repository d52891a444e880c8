public import Engine
import Secrets

/// Ensures that a file system is mounted, now and after the next boot.
///
///     Mount("/var/lib/postgresql", from: "/dev/disk/by-label/data", type: "xfs", options: ["noatime"])
public struct Mount: Resource {
    private struct Wanted {
        let source: String
        let type: String
        let options: [String]
        let pass: Int
        let isMounted: Bool
    }

    private let path: String
    /// Nil when nothing shall be mounted.
    private let wanted: Wanted?

    /// - Parameters:
    ///   - path: absolute. The directory is made when it is missing.
    ///   - source: a device, `UUID=…`, a remote directory, a directory for `bind`, anything for `tmpfs`.
    ///   - type: as in `fstab(5)`; `none` for a bind mount.
    ///   - options: as in `fstab(5)`.
    ///   - pass: when the file system is checked at boot: 0 never, 1 first, 2 later.
    ///   - now: whether it is mounted now; false leaves that to the next boot or to others.
    public init(
        _ path: String, from source: String, type: String, options: [String] = ["defaults"], pass: Int = 0,
        now: Bool = true
    ) {
        self.path = path
        wanted = Wanted(source: source, type: type, options: options, pass: pass, isMounted: now)
    }

    private init(nothingAt path: String) {
        self.path = path
        wanted = nil
    }

    /// Ensures that nothing is mounted at a path, now and after the next boot. The directory stays.
    public static func none(at path: String) -> Mount { Mount(nothingAt: path) }

    public var name: String { "mount \(path)" }

    public var questions: [any Fact] { table.questions + [MountedAt(path)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let current = try facts[MountedAt(path)]
        guard let wanted else {
            var changes: [Change] = []
            if current != nil {
                let script: ShellText = "while mountpoint -q -- \(quoted); do umount -- \(quoted); done"
                changes.append(Change("unmount \(path)", .stop, script: script, isDisturbing: true))
            }
            return changes + (try table.changes(given: facts, after: pending))
        }
        let write = try table.changes(given: facts, after: pending)
        guard wanted.isMounted else { return write }
        guard let current else {
            return write + [live("mount \(path)", "mkdir -p -- \(quoted)\nmount -- \(quoted)", as: .create)]
        }
        if try isAnother(current, than: wanted, listed: listed(in: facts)) {
            let change = live(
                "replace what is mounted at \(path)", "umount -- \(quoted)\nmount -- \(quoted)", isDisturbing: true)
            return write + [change]
        }
        guard !write.isEmpty || !hasOptions(current, of: wanted) else { return [] }
        let options = ShellText.quoting((["remount"] + wanted.options).joined(separator: ","))
        // Before the table: were the run to end between both, the table would still tell that something is to be done.
        let remount = live(
            "remount \(path) with \(wanted.options.joined(separator: ","))",
            "mount --options-mode=ignore --options \(options) -- \(quoted)")
        return [remount] + write
    }

    private var quoted: ShellText { ShellText.quoting(path) }
    private var escaped: String { MountedAt.escaped(path) }

    private func live(
        _ summary: String, _ script: ShellText, as kind: Change.Kind = .change, isDisturbing: Bool = false
    ) -> Change {
        Change(summary, kind, script: script, isDisturbing: isDisturbing)
    }

    private var table: TextEdit {
        let fields = wanted.map {
            [$0.source, path, $0.type, $0.options.joined(separator: ","), "0", "\($0.pass)"]
        }
        let order = fields == nil ? "remove \(path) from" : "write \(path) in"
        return FileSystemTable.edit(order, column: 2, subject: path, fields: fields)
    }

    /// The source and the type that the table has for the path so far.
    private func listed(in facts: Facts) throws -> (source: String, type: String)? {
        guard case .text(let table) = try facts[FileSystemTable.entry] else { return nil }
        let lines = table.linesOfText.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        let line = lines.first { $0.count >= 3 && $0[1] == escaped && !$0[0].hasPrefix("#") }
        return line.map { ($0[0], $0[2]) }
    }

    /// Of the source, the kernel tells another name than the table: a device for a UUID, and for a bind mount too. So only
    /// a table that has another one tells that another one is mounted.
    private func isAnother(
        _ current: MountedAt.Found, than wanted: Wanted, listed: (source: String, type: String)?
    ) -> Bool {
        if let listed, listed != (MountedAt.escaped(wanted.source), wanted.type) { return true }
        return !["none", "auto", current.type].contains(wanted.type)
    }

    /// The options that the kernel tells in the words of the table. A bind mount may have inherited more.
    private func hasOptions(_ current: MountedAt.Found, of wanted: Wanted) -> Bool {
        let told: Set = ["ro", "nosuid", "nodev", "noexec", "noatime"]
        guard told.intersection(wanted.options).isSubset(of: current.options) else { return false }
        return wanted.type == "none" || wanted.options.contains("ro") || !current.options.contains("ro")
    }
}
