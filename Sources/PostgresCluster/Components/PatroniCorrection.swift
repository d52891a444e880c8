import Engine
import Inventory
import SystemResources

/// The program that starts Patroni with corrections of two of its functions.
struct CorrectedPatroni: ConfigurationFile {
    static let template = "patroni-corrected.py"
    static let path = "/usr/local/lib/drover/patroni"
}

/// The drop-in that has systemd start Patroni by that program.
struct PatroniCorrectionSettings: ConfigurationFile {
    static let template = "patroni.correction.conf"

    var launcher = CorrectedPatroni.path
}

/// Ensures that a Patroni that can take the leader lock from its successor runs with a correction, and any other one without.
///
/// Source: Patroni's pull requests 2689 and 2693, release notes of 3.0.3; pull request 3404, release notes of 4.0.7.
struct PatroniCorrection: Resource {
    let launcher: File
    let settings: UnitDropIn
    private let absences: [Absent]
    /// The version that the host is about to get, if that is known.
    private let candidate: String?

    init(_ templates: ClusterTemplates, candidate: String?) throws {
        launcher = File(CorrectedPatroni.path, containing: try templates.render(CorrectedPatroni()))
        settings = try UnitDropIn("patroni", "correction", containing: templates.render(PatroniCorrectionSettings()))
        absences = try Self.paths.map { try Absent($0) }
        self.candidate = candidate
    }

    static let dropIn = "/etc/systemd/system/patroni.service.d/correction.conf"
    static let paths = [dropIn, CorrectedPatroni.path]

    var name: String { "correction of Patroni" }

    private var package: PackageStatus { PackageStatus("patroni") }

    var questions: [any Fact] {
        [package] + launcher.questions + settings.questions + absences.flatMap(\.questions)
    }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try isNeeded(facts) {
            return try launcher.changes(given: facts, after: pending) + settings.changes(given: facts, after: pending)
        }
        return try absences.flatMap { try $0.changes(given: facts, after: pending) }
    }

    func notices(given facts: Facts) throws -> [String] {
        guard try isNeeded(facts), try !changes(given: facts, after: PendingEffects()).isEmpty else { return [] }
        return [
            "Patroni \(try facts[package].version ?? candidate ?? "of Debian 12") loses acknowledged rows when a paused "
                + "leader takes the lock back; Drover corrects this and leaves the package as it is"
        ]
    }

    private func isNeeded(_ facts: Facts) throws -> Bool {
        (try facts[package].version ?? candidate).map { LeaderLock(of: $0) == .correctable } ?? true
    }
}

/// How a version of Patroni treats the leader key when its lease has expired.
enum LeaderLock {
    /// It compares the key before it writes it.
    case safe
    /// It does not, and Drover has a correction.
    case correctable
    /// It does not, and Drover has none.
    case faulty

    /// - Parameter version: of Patroni, as dpkg has it: `3.0.2-1`, `4.1.0-1.pgdg120+1`.
    init(of version: String) {
        let version = PackageVersion(version)
        self = version < PackageVersion("3.0.2") ? .faulty : version < PackageVersion("3.0.3~") ? .correctable : .safe
    }
}

extension Cluster {
    /// The correction of the Patroni that a host has, or is about to get.
    func patroniCorrection(on host: Host) throws -> PatroniCorrection {
        try PatroniCorrection(templates, candidate: candidate(of: "patroni", on: host))
    }

    /// The version of a package that a host is about to get; nil when that is not known.
    func candidate(of package: String, on host: Host) -> String? {
        let questions = PreflightQuestions(configuration: configuration) { packages(of: $0) }
        let facts = observed[host]
        return facts.ifKnown(questions.sounding(of: host, given: facts))?.candidates[package]
    }

    /// Restarts Patroni, and lets PostgreSQL run: a killed Patroni stops nothing, and takes up what it finds.
    ///
    /// Only `systemctl restart` is right for a member that does not run, such as one that is being cloned. In a paused cluster,
    /// Patroni 3.0.2 would forget the synchronous replicas (its pull request 2876).
    func patroniRestart(_ node: Node) -> Service.GentleRestart {
        Service.GentleRestart(
            "restart patroni, without PostgreSQL",
            script: """
                case $(\(api(node).get("/patroni", "--max-time 2"))) in
                *'"pause": true'*)
                    echo "the cluster is paused: run 'patronictl -c /etc/patroni/config.yml resume', then apply again"
                    exit 1 ;;
                *'"state": "running"'*)
                    process=$(systemctl show --property=MainPID --value patroni.service)
                    kill -KILL "$process"
                    while [ -d "/proc/$process" ]; do sleep 0.05; done
                    systemctl start patroni.service ;;
                *) systemctl restart patroni.service ;;
                esac
                """)
    }
}
