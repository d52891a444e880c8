public import Engine
import Secrets

/// Ensures that the kernel makes no huge pages of its own accord, now and after the next boot: to gather them may stop a
/// process for long.
///
///     TransparentHugePages.off
public struct TransparentHugePages: Resource {
    /// None are made.
    public static let off = TransparentHugePages()

    private init() {}

    public var name: String { "transparent huge pages" }

    private static let unit = "drover-no-huge-pages.service"
    private static let folder = "/sys/kernel/mm/transparent_hugepage"

    private var file: File {
        File(
            "/etc/systemd/system/\(Self.unit)",
            containing: MaskedText(
                """
                [Unit]
                Description=No transparent huge pages
                ConditionPathIsReadWrite=\(Self.folder)
                DefaultDependencies=no
                After=sysinit.target local-fs.target
                Before=basic.target

                [Service]
                Type=oneshot
                RemainAfterExit=yes
                ExecStart=/bin/sh -c 'for file in enabled defrag; do echo never >\(Self.folder)/$$file; done'

                [Install]
                WantedBy=basic.target

                """))
    }

    /// The kernel marks what is in force: `always madvise [never]`.
    private var live: FileContent { FileContent(Self.folder + "/enabled", expected: "always madvise [never]\n") }
    private var access: FileAccess { FileAccess(Self.folder + "/enabled") }

    public var questions: [any Fact] { file.questions + [UnitStatus(Self.unit), live, access] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try file.changes(given: facts, after: pending)
        let status = try facts[UnitStatus(Self.unit)]
        if !changes.isEmpty || status.needsDaemonReload || status.unitFile != "enabled" {
            let quoted = ShellText.quoting(Self.unit)
            changes.append(
                Change(
                    "enable \(Self.unit.dropLast(".service".count))",
                    script: "keep_unit \(quoted)\nsystemctl daemon-reload\nsystemctl enable --quiet \(quoted)"
                ))
        }
        if try isMade(facts), try facts[access] {
            changes.append(
                Change(
                    "make no transparent huge pages", script: "systemctl restart \(quoting: Self.unit)")
            )
        }
        return changes
    }

    public func notices(given facts: Facts) throws -> [String] {
        guard try isMade(facts), try !facts[access] else { return [] }
        return ["transparent huge pages stay as they are: that is read-only on this host, as in a container"]
    }

    private func isMade(_ facts: Facts) throws -> Bool {
        if case .different = try facts[live] { return true }
        return false
    }
}
