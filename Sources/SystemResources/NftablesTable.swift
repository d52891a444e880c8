public import Engine
import Secrets

/// Ensures that a table of packet filter rules is in force, now and after the next boot. Other tables are never touched.
/// Needs the package `nftables`.
///
/// The kernel takes the new rules in place of the old ones in one transaction. What `nft` then lists is written down, so
/// that rules changed by hand are found. A set that the rules themselves fill would look like that: do without.
///
///     NftablesTable(
///         "web",
///         containing: """
///             chain input {
///                 type filter hook input priority filter; policy drop;
///                 ct state established,related accept
///                 iif lo accept
///                 tcp dport { 22, 80 } accept
///             }
///             """)
public struct NftablesTable: Resource {
    private let title: String
    private let rules: String

    /// - Parameters:
    ///   - title: letters, digits, `-` and `_`. The table is `inet drover_TITLE`, with `_` for `-`.
    ///   - rules: what stands between the braces of the table, see nft(8): chains, sets, definitions. Whoever locks port 22
    ///     locks Drover out.
    public init(_ title: String, containing rules: String) {
        self.title = title
        self.rules = rules
    }

    public var name: String { "nftables table \(title)" }

    var table: String { "drover_" + title.replacing("-", with: "_") }
    var unit: String { "drover-nftables-\(title).service" }
    private var folders: [Directory] { [Directory("/etc/drover"), Directory("/etc/drover/nftables")] }

    /// It makes the table before it deletes it, because there may be none, and what is deleted must be there.
    private var file: File {
        let text = """
            table inet \(table)
            delete table inet \(table)
            table inet \(table) {
            \(rules.linesOfText.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n"))
            }

            """
        return File("/etc/drover/nftables/\(title).nft", containing: MaskedText(text), checkedBy: "nft --check --file")
    }

    /// Debian's own `nftables.service` begins by flushing all tables.
    private var unitFile: File {
        File(
            "/etc/systemd/system/\(unit)",
            containing: MaskedText(
                """
                [Unit]
                Description=Packet filter rules of the table inet \(table)
                After=nftables.service
                Before=network-pre.target
                Wants=network-pre.target
                DefaultDependencies=no
                Conflicts=shutdown.target
                Before=shutdown.target

                [Service]
                Type=oneshot
                RemainAfterExit=yes
                ExecStart=/usr/sbin/nft --file \(file.path)

                [Install]
                WantedBy=sysinit.target

                """))
    }

    /// All files that it has.
    var paths: [String] { [file.path, unitFile.path, record.path] }

    /// What the table was listed as when it was made.
    private var record: PathEntry { PathEntry("/var/lib/drover/nftables/\(title)") }

    public var questions: [any Fact] {
        folders.flatMap(\.questions) + file.questions + unitFile.questions
            + [UnitStatus(unit), NftablesListing(table), record, FileStatus(record.path)]
    }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try folders.flatMap { try $0.changes(given: facts, after: pending) }
        let writing = try file.changes(given: facts, after: pending)
        changes += writing
        if try isDue(facts) || writing.contains(where: { $0.effects == [.writes(file.path)] }) {
            changes.append(loading)
        }
        let unitWriting = try unitFile.changes(given: facts, after: pending)
        changes += unitWriting
        let status = try facts[UnitStatus(unit)]
        if status.needsDaemonReload || !unitWriting.isEmpty || status.unitFile != "enabled" {
            let quoted = ShellText.quoting(unit)
            changes.append(
                Change(
                    "enable \(unit.dropLast(".service".count))",
                    script: "keep_unit \(quoted)\nsystemctl enable --quiet \(quoted)"))
        }
        return changes
    }

    /// Whether something else is in force than what the file says.
    private func isDue(_ facts: Facts) throws -> Bool {
        guard let loaded = try facts[FileStatus(record.path)], let written = try facts[FileStatus(file.path)] else {
            return true
        }
        guard written.modified <= loaded.modified, case .text(let recorded) = try facts[record] else { return true }
        return try recorded.linesOfText != facts[NftablesListing(table)]
    }

    private var loading: Change {
        let folder = "/var/lib/drover/nftables"
        let recording = Replacement(
            path: record.path, outputOf: NftablesListing.command(table), access: .asBefore)
        return Change(
            "load nftables table \(title)",
            script: "nft --file \(quoting: file.path)\n(umask 077; mkdir -p \(quoting: folder))\n\(recording.script)")
    }
}
