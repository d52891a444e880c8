public import Drover
import Secrets

/// Ensures that Debian packages are installed, some in a certain version, and that others are not. A package of which no
/// version is named is never upgraded.
///
/// All that is to be installed or removed is so in one transaction, during which no package starts its own daemon: what
/// runs is for ``Service`` to say, once it is configured. Only what is running already is restarted by its package when
/// that gets another version, as everywhere. A transaction that would remove more than what is named here is refused.
public struct Packages: Resource {
    private let packages: [Package]

    public init(_ packages: [Package]) {
        self.packages = packages
    }

    public init(_ names: [String]) {
        packages = names.map { Package($0) }
    }

    public var name: String { "packages \(packages.map(\.word).joined(separator: " "))" }

    public var questions: [any Fact] { packages.map { PackageStatus($0.name) } }

    /// - Throws: `Diagnostic` for a name or a version that cannot be one.
    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var transaction = PackageTransaction()
        var marks: [Change] = []
        for package in packages {
            try package.check()
            let status = try facts[PackageStatus(package.name)]
            switch (package.wish, status.version) {
            case (.installed, nil): transaction.missing.append(package)
            case (.installed, let version?) where !package.accepts(version):
                transaction.others.append(.init(package: package, version: version, isHeld: status.isHeld))
            case (.absent, .some): transaction.unwanted.append(package)
            case (.purged, _) where status.leavesTraces: transaction.unwanted.append(package)
            default: break
            }
            if let held = package.held, held != status.isHeld { marks.append(mark(package, held: held)) }
        }
        return transaction.changes + marks
    }

    private func mark(_ package: Package, held: Bool) -> Change {
        let verb = held ? "hold" : "unhold"
        return Change(
            "\(verb) \(package.name)", script: MaskedText("apt-mark \(verb) \(Shell.quote(package.name)) >/dev/null"),
            mustFinish: true)
    }
}
