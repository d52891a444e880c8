import Engine
import SystemResources

/// Ensures that `pgbouncer.ini` has its content, which depends on the version of PgBouncer.
///
/// PgBouncer prepares statements in its pools since 1.21. An older one refuses a file that has the option.
struct PgBouncerFile: Resource {
    /// The file for a version that can, and the one for a version that cannot.
    let able: File
    let unable: File
    /// The version that the host is about to get, if that is known.
    let candidate: String?

    private let package = PackageStatus("pgbouncer")

    init(able: File, unable: File, candidate: String?) {
        self.able = able
        self.unable = unable
        self.candidate = candidate
    }

    var name: String { able.name }

    var questions: [any Fact] { [package] + able.questions + unable.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try (isAble(facts) ? able : unable).changes(given: facts, after: pending)
    }

    func notices(given facts: Facts) throws -> [String] {
        guard try !isAble(facts), try !changes(given: facts, after: PendingEffects()).isEmpty else { return [] }
        return [
            "PgBouncer \(try version(facts) ?? "of Debian 12") prepares no statements in its pools, so "
                + "pgbouncer_max_prepared_statements is left out; in session mode clients have those of the server"
        ]
    }

    private func version(_ facts: Facts) throws -> String? { try facts[package].version ?? candidate }

    private func isAble(_ facts: Facts) throws -> Bool {
        (try version(facts)).map { PackageVersion($0) >= PackageVersion("1.21") } ?? false
    }
}
