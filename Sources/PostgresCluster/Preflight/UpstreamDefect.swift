import SystemResources

/// A fault of a daemon that its authors have corrected, of the kinds that a database cluster cannot bear.
struct UpstreamDefect: Hashable, Sendable {
    /// What becomes of a cluster that meets it.
    enum Effect: String, Sendable {
        case lostRows = "lost rows"
        case twoLeaders = "two leaders"
        case privileges
        case crash
    }

    /// What Drover does about it.
    enum Measure: Hashable, Sendable {
        /// It cannot happen in a cluster of Drover's.
        case prevented
        /// It can happen, but loses nothing, or only after a deliberate action.
        case tolerated
        /// The user can do something about it, which a notice says once, when the package is to be installed.
        case told(advice: String)
        /// Pre-flight refuses the package.
        case refused(advice: String)
    }

    /// The package of Debian.
    let package: String
    /// The pull request, the commit or the CVE number.
    let reference: String
    let effect: Effect
    /// What happens, to be read after "PACKAGE VERSION: ".
    let fault: String
    /// The versions that have it. Several, because it was corrected on several branches, or by Debian.
    let affected: [Range<PackageVersion>]
    let measure: Measure

    /// - Parameter affected: pairs of the first version that has it and the first that has it no more.
    init(
        _ package: String, _ reference: String, _ effect: Effect, _ fault: String, in affected: [(String, String)],
        _ measure: Measure
    ) {
        self.package = package
        self.reference = reference
        self.effect = effect
        self.fault = fault
        self.affected = affected.map { PackageVersion($0)..<PackageVersion($1) }
        self.measure = measure
    }

    /// Whether a version of the package has it.
    func concerns(_ version: PackageVersion) -> Bool { affected.contains { $0.contains(version) } }
}
