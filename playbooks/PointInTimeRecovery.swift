import ArgumentParser
import Diagnostics
import Engine
import Inventory
import PostgresCluster

/// Brings a cluster back to a moment of its past. Until that is approved of, with what was recovered before one's eyes, the
/// old cluster can be had back.
struct PointInTimeRecovery: ClusterPlaybook {
    static let name = "point-in-time-recovery"
    static let abstract = "Bring a cluster back to a moment of its past, from its backups; the old data is set aside."

    @OptionGroup var options: RecoveryOptions

    @Flag(help: "Take what is recovered: the cluster goes on from there.")
    var promote = false

    @Flag(help: "Go back to the old cluster, as long as nothing was taken.")
    var abort = false

    @Option(help: "SQL to run on what was recovered, before it is taken; its result is shown.")
    var inspect: String?

    @Option(help: "The database in which --inspect runs.")
    var inspectIn: String = "postgres"

    @Flag(help: "Do not keep the old data: there is no way back then, and less room is needed.")
    var discardOldData = false

    @Flag(
        help: "With --promote: archive nothing, and make no backup, until deploy-cluster is applied; the log is kept.")
    var leaveArchivingOff = false

    @Option(help: .hidden)
    var mark: String = RecoveryMark.now()

    var isIndivisible: Bool { true }

    func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        let target = try options.target()
        if abort, target != nil || promote || inspect != nil || discardOldData {
            throw Diagnostic("--abort goes back to the old cluster", remedy: "give no other option beside it")
        }
        if leaveArchivingOff, !promote {
            throw Diagnostic(
                "--leave-archiving-off is about what is taken",
                remedy: "give it together with --promote, or leave it out")
        }
        if target == nil, !abort, !promote, inspect == nil {
            throw Diagnostic(
                "nothing says to where the cluster is to be recovered",
                remedy:
                    "give --target-time, --target-lsn, --target-xid, --target-name, --immediate or --latest; or --promote, "
                    + "--inspect or --abort for a recovery that is under way")
        }
        return model
    }

    func questions(of host: Host, in configuration: ClusterConfiguration) -> [any Fact] {
        configuration.recoveryQuestions(of: host)
    }

    func confirmation(for cluster: Cluster) throws -> Confirmation? { try recovery(of: cluster).confirmation() }

    func plays(for cluster: Cluster) throws -> [Play] { try recovery(of: cluster).plays() }

    private func recovery(of cluster: Cluster) throws -> Recovery {
        Recovery(
            of: cluster,
            as: RecoveryRequest(
                target: try options.target(), promotes: promote, aborts: abort, discards: discardOldData,
                inspection: inspect, in: inspectIn, leavesArchivingOff: leaveArchivingOff, mark: mark))
    }
}
