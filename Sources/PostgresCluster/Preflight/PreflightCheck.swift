import Diagnostics

/// What is looked at on the hosts before anything is touched. Each can be left out by its name.
public enum PreflightCheck: String, CaseIterable, Sendable {
    /// A supported release with systemd, the same on all members.
    case system
    /// The clocks of the hosts agree.
    case clock
    /// Nobody else listens where the daemons are to listen.
    case ports
    /// The daemons' units are those of their packages, and not another tool's.
    case units
    /// The balancers have the interface that is to hold the address, and its network is that of the address.
    case interface
    /// Nobody else has the address.
    case address
    /// No other routers use the virtual router id.
    case routerID = "router-id"
    /// The hosts reach each other's daemons.
    case network
    /// An etcd that there was before answers, is healthy, and lets the cluster in.
    case etcd
    /// No data of an earlier etcd would come to life again.
    case leftovers
    /// There is room for the database and its log.
    case disk
    /// There is memory for what PostgreSQL shares.
    case memory
    /// The locale of a new database is there.
    case locale
    /// The repositories of the host have all packages.
    case packages
    /// No package has a fault that loses rows, makes two members lead or grants privileges, unless Drover prevents it.
    case defects
    /// PostgreSQL lets in all connections that the pooler may open.
    case pool
    /// The balancer may open as many files as it has clients.
    case openFiles = "open-files"
    /// A watchdog that Patroni requires is there.
    case fencing
    /// A server that is to become the leader serves its clients as before.
    case existing

    /// - Throws: `Diagnostics` with every name that no check has.
    static func check(_ names: [String]) throws {
        var diagnostics = Diagnostics()
        let known = allCases.map(\.rawValue)
        for name in names where !known.contains(name) {
            let meant = Suggestion.remedy(for: name, among: known).map { $0 + " " } ?? ""
            diagnostics.report(
                "--skip-preflight: there is no check '\(name)'",
                remedy: "\(meant)the checks are \(known.joined(separator: ", "))")
        }
        try diagnostics.throwIfAny()
    }
}

/// Something that would make a deployment fail, or be regretted.
struct PreflightFinding: Hashable, Sendable {
    let check: PreflightCheck
    /// The host that it is about; nil when it is about the cluster.
    var host: String?
    /// What is wrong, and what to do about it.
    let text: String
}
