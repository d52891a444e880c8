/// The names that a release of an operating system has for the parts of a cluster.
///
/// What differs between versions of a program is decided by the version of its package, not here: another repository may
/// have another version on the same system.
struct Platform: Hashable, Sendable {
    /// `Debian 12`.
    let name: String
    /// As ``OSRelease`` has them.
    let distribution: String
    let version: String
    let postgres: Postgres
    let patroni: Component
    let etcd: Component
    let pgbouncer: Component
    let pgbackrest: Component
    let haproxy: Component
    let keepalived: Component

    /// The packages and paths of PostgreSQL. In each, `NN` stands for the major version.
    struct Postgres: Hashable, Sendable {
        /// The only major version that the system's own repositories have.
        let version: Int
        let package: VersionedName
        let binaryDirectory: VersionedName
        let dataDirectory: VersionedName
    }

    /// A daemon.
    struct Component: Hashable, Sendable {
        let packages: [String]
    }

    /// A name that contains a major version.
    struct VersionedName: Hashable, Sendable, ExpressibleByStringLiteral {
        private let pattern: String

        init(stringLiteral pattern: String) { self.pattern = pattern }

        /// The name for a major version.
        func callAsFunction(_ version: Int) -> String { pattern.replacing("NN", with: "\(version)") }
    }
}

extension Platform {
    /// All platforms, by family and from the oldest to the newest.
    static let all = debian + ubuntu

    /// The platform that checks before the first contact assume.
    static let assumed = debian12

    /// The platform of a release.
    ///
    /// - Returns: nil if it is not supported.
    init?(_ release: OSRelease) {
        guard
            let found = Platform.all.first(where: {
                $0.distribution == release.distribution && $0.version == release.version
            })
        else { return nil }
        self = found
    }

    /// The platform whose names a release most probably has: the nearest of its family, or else the assumed one.
    static func nearest(to release: OSRelease) -> Platform {
        let family = all.filter { $0.distribution == release.distribution }
        return Platform(release)
            ?? (Double(release.version).map { $0 < (family.first?.number ?? 0) } == true ? family.first : family.last)
            ?? assumed
    }

    /// The default version of PostgreSQL as an expression of inventories, which takes the release of the host.
    static var versionExpression: String {
        let others = all.filter { $0 != assumed }.map {
            #"\#($0.postgres.version) if ansible_distribution_version == "\#($0.version)" else "#
        }
        return "'{{ \(others.joined())\(assumed.postgres.version) }}'"
    }

    private var number: Double { Double(version) ?? 0 }

    /// Why a release is not supported, and what to do; nil if it is.
    static func refusal(of release: OSRelease) -> String? {
        guard Platform(release) == nil else { return nil }
        let name = release.words.isEmpty ? "an unknown system" : release.words
        return "this is \(name)\(reason(for: release)), and Drover supports "
            + all.dropLast().map(\.name).joined(separator: ", ") + " and \(all.last?.name ?? "")"
            + ": install one of these; --skip-preflight system tries it with the names of \(nearest(to: release).name)"
    }

    private static func reason(for release: OSRelease) -> String {
        guard let oldest = all.first(where: { $0.distribution == release.distribution }) else { return "" }
        if release.version.isEmpty { return ", whose packages still change" }
        guard let number = Double(release.version), number < oldest.number else { return "" }
        return oldest == debian12
            ? ", whose etcd and pgBackRest lack what Drover uses and whose support has ended"
            : ", whose etcd lacks what Drover uses and whose Patroni can lose acknowledged rows"
    }
}
