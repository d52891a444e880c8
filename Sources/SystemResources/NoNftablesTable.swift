public import Engine
import Secrets

/// Ensures that a table of packet filter rules that an ``NftablesTable`` has made is neither in force nor comes back at the
/// next boot. Other tables are never touched.
///
///     NoNftablesTable("old-web")
public struct NoNftablesTable: Resource {
    private let title: String
    private let former: NftablesTable

    /// - Parameter title: what the table was called.
    public init(_ title: String) {
        self.title = title
        former = NftablesTable(title, containing: "")
    }

    public var name: String { "no nftables table \(title)" }

    private var files: [String] { former.paths }

    public var questions: [any Fact] {
        [NftablesListing(former.table), UnitStatus(former.unit)] + files.map(FileStatus.init)
    }

    /// The rules go first: should the run end before their files do, those still say what there was.
    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes: [Change] = []
        if try !facts[NftablesListing(former.table)].isEmpty {
            changes.append(
                Change(
                    "delete nftables table \(title)", .remove,
                    script: "nft delete table inet \(quoting: former.table)"))
        }
        if try facts[UnitStatus(former.unit)].unitFile == "enabled" {
            let unit = ShellText.quoting(former.unit)
            changes.append(
                Change(
                    "disable \(former.unit.dropLast(".service".count))",
                    script: "keep_unit \(unit)\nsystemctl disable --quiet \(unit)"))
        }
        for path in try files.filter({ try facts[FileStatus($0)] != nil }) {
            let quoted = ShellText.quoting(path)
            changes.append(
                Change(
                    "remove \(path)", .remove, script: "keep \(quoted)\nrm -f -- \(quoted)", effects: [.writes(path)]
                )
            )
        }
        return changes
    }
}
