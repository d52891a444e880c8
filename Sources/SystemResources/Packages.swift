public import Engine
import Secrets

/// Ensures that Debian packages are installed, some in a certain version, and that others are not. A package of which no
/// version is named is never upgraded.
///
/// All that is to be installed or removed is so in one transaction, during which no package starts its own daemon: what
/// runs is for ``Service`` to say, once it is configured. Only what is running already is restarted by its package when
/// that gets another version, as everywhere. A transaction that would remove more than what is named here is refused.
///
///     Packages([Package("postgresql-15", version: "15.*", held: true), "chrony", .absent("ntp")])
public struct Packages: Resource {
    private let packages: [Package]
    private let supply: PackageSupply?

    public init(_ packages: [Package]) {
        self.packages = packages
        supply = PackageSupply.current
    }

    public init(_ names: [String]) {
        self.init(names.map { Package($0) })
    }

    public var name: String { "packages \(packages.map(\.word).joined(separator: " "))" }

    public var questions: [any Fact] { packages.map { PackageStatus($0.name) } }

    /// Where packages come from this machine, it is asked which ones the host needs, once it is known that some do.
    public func questions(given facts: Facts) -> [any Fact] {
        questions + (wanted(given: facts).map { [$0] } ?? [])
    }

    /// What is to be had from the supply.
    private func wanted(given facts: Facts) -> SuppliedPackages? {
        guard let supply else { return nil }
        let words = packages.filter { package in
            guard case .installed = package.wish, let status = facts.ifKnown(PackageStatus(package.name)) else {
                return false
            }
            return status.version.map { !package.accepts($0) } ?? true
        }.map(\.word)
        return words.isEmpty ? nil : SuppliedPackages(of: supply, for: words)
    }

    /// - Throws: `Diagnostic` for a name or a version that cannot be one, `Refusal` when the supply has not all that is needed.
    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var transaction = PackageTransaction()
        if let wanted = wanted(given: facts), let answer = facts.ifKnown(wanted) {
            if let obstacle = wanted.obstacle(answer) {
                throw Refusal(obstacle, remedies: ["put them there, or leave --offline out"])
            }
            transaction.supplied = .init(supply: wanted.supply, numbers: answer.numbers)
        }
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
            "\(verb) \(package.name)", script: "apt-mark \(quoting: verb) \(quoting: package.name) >/dev/null",
            mustFinish: true)
    }
}
