public import ArgumentParser
import Diagnostics
public import Engine
public import Inventory
import Secrets
import SystemResources

/// Restores the cluster of a moment beside the one that there is, to take a table out of it. It can be read over a socket,
/// and changes nothing elsewhere.
public struct BackupRestoration: ClusterPlaybook {
    public static let name = "backup-restore"
    public static let abstract = "Restore a moment beside the cluster, into a directory, and let it be read there."

    @Option(name: .customLong("to"), help: "The directory, which is empty or not there yet.")
    public var directory: String

    @Option(help: "The member on which it is done; the first one that does not lead unless told otherwise.")
    public var on: String?

    @OptionGroup public var options: RecoveryOptions

    @Option(help: .hidden)
    public var mark: String = ErrandMark.new()

    public init() {}

    public func model(of inventory: Inventory) throws -> ClusterModel {
        let model = try ClusterModel(inventory)
        let names = model.configuration.members.map(\.name)
        if let on, !names.contains(on) {
            throw Diagnostic(
                "'\(on)' has no PostgreSQL to recover with", remedy: "name one of \(names.joined(separator: ", "))")
        }
        // It stands in settings of PostgreSQL and in what is said at the end, where quotes would be read as such.
        guard directory.wholeMatch(of: /(\/[A-Za-z0-9_][A-Za-z0-9_.-]*){2,}/) != nil, directory.utf8.count < 80 else {
            throw Diagnostic(
                "--to '\(directory)' is no place for a database",
                remedy: "write a path like /var/lib/postgresql/restored, of letters, digits, '_', '.' and '-'")
        }
        guard try options.target() != nil else {
            throw Diagnostic(
                "nothing says which moment is restored",
                remedy: "give --target-time, --target-lsn, --target-xid, --target-name, --immediate or --latest")
        }
        return model
    }

    public func questions(of host: Host, in configuration: ClusterConfiguration) -> [any Fact] {
        configuration.recoveryQuestions(of: host)
            + (configuration.members.contains { $0.name == host.name } ? [isFree, room] : [])
    }

    public func plays(for cluster: Cluster) throws -> [Play] {
        guard let restoration = try restoration(in: cluster) else { return [] }
        let recovery = restoration.recovery
        let course = try restoration.target.flatMap { try recovery.course(to: $0) }
        let leads = recovery.log != nil
        return [
            Play("Look at what there is", on: [recovery.host.host]) { _ in
                Examination(
                    name: "what can be restored", questions: recovery.searches,
                    remarks: course.map { [$0.sentences[0]] } ?? [])
            },
            Play("Get the log into the archive", on: leads && course != nil ? [cluster.leader.host] : []) { _ in
                for intent in restoration.intents(course) {
                    Errand(
                        errand: "backup-restore-flush", mark: mark, summary: "archive what was written up to now",
                        script: recovery.scripts(intent).flush)
                }
            },
            Play("Restore it", on: course == nil ? [] : [recovery.host.host]) { _ in
                for intent in restoration.intents(course) {
                    Errand(
                        errand: "backup-restore", mark: mark,
                        summary: "restore \(intent.target.words) into \(directory), and start it",
                        script: restoration.script(intent))
                }
            },
        ]
    }

    public func confirmation(for cluster: Cluster) throws -> Confirmation? {
        guard let restoration = try restoration(in: cluster) else { return nil }
        let recovery = restoration.recovery
        var refusals = recovery.repositoryRefusals
        if cluster.observed[recovery.host.host].ifKnown(isFree) == false {
            refusals.append(
                Refusal(
                    "\(directory) of \(recovery.host.name) is not empty",
                    remedies: ["name another one, or remove what is in it"]))
        }
        if refusals.isEmpty, let target = restoration.target, let course = try recovery.course(to: target),
            let free = cluster.observed[recovery.host.host].ifKnown(room)?.free,
            let refusal = RecoveryGround.room(
                on: recovery.host.name, free: free, reused: 0, database: course.backup.info.size, discards: true)
        {
            refusals.append(refusal)
        }
        if let refusal = Refusal(all: refusals) { throw refusal }
        return nil
    }

    private func restoration(in cluster: Cluster) throws -> Restoration? {
        let members = cluster.configuration.members
        guard
            let node = members.first(where: { $0.name == on }) ?? members.first(where: {
                $0.name != cluster.leader.name
            })
                ?? members.first
        else { return nil }
        let target = try options.target()
        return Restoration(
            recovery: Recovery(
                of: cluster,
                as: RecoveryRequest(
                    target: target, promotes: false, aborts: false, discards: false, inspection: nil, mark: mark),
                on: node),
            target: target, directory: directory)
    }

    /// A restore that was ended in its middle may go on.
    private var isFree: CommandSuccess {
        let path = ShellText.quoting(directory)
        return CommandSuccess("[ ! -e \(path) ] || [ -z \"$(ls -A -- \(path))\" ] || [ -e \(path)/drover-restore ]")
    }

    private var room: HostFitness { HostFitness(directory: directory, package: nil) }
}

/// How a moment is restored beside the cluster.
struct Restoration {
    let recovery: Recovery
    let target: RecoveryTarget?
    let directory: String

    /// None as long as nobody knows from which backup.
    func intents(_ course: RecoveryCourse?) -> [RecoveryIntent] {
        guard let course, let target else { return [] }
        return [
            RecoveryIntent(
                id: "", host: recovery.host.name, system: "", target: target, backup: course.backup.label,
                timelines: course.timelines, discards: false, end: nil, moment: nil)
        ]
    }

    /// It stays where the target is, and is read by a socket in the directory. Started by hand it archives nothing either.
    func script(_ intent: RecoveryIntent) -> ShellText {
        var server = recovery.server
        server.directory = directory + "/data"
        server.unit =
            "drover-restore-"
            + (directory.split(separator: "/").last.map { $0.filter { $0.isLetter || $0.isNumber } } ?? "")
        server.notesLog = false
        server.settings = [
            "shared_buffers=64MB", "unix_socket_directories=\(directory)", "hba_file=\(directory)/hba.conf",
        ]
        server.socket = directory
        server.seclusion = Seclusion(
            cluster: recovery.configuration.postgres.dataDirectory, directory: directory + "/tablespaces-of-the-log")
        let scripts = RecoveryScripts(server: server, catalog: recovery.leaderLog.catalog, course: intent)
        let place = ShellText.quoting(directory)
        let files: ShellText = """
            cd "$1" && mkdir -p -m 0700 tablespaces && printf '%s\\n' "$2" >drover-restore && echo 'local all all peer' >hba.conf
            """
        return """
            \(ShellText.say)
            mark() { :; }
            unmark() { :; }
            make_directory \(place) postgres:postgres 0700
            runuser -u postgres -- sh -c \(quoting: files) sh \(place) \(quoting: intent.target.text)
            \(scripts.restore(beside: directory))
            \(scripts.recover(restoring: scripts.restore(beside: directory)))
            say "it is read by: runuser -u postgres -- \(inDoubleQuotes: server.psql)" \\
                "or by pg_dump with the same -h, -p and -U" \\
                \(quoting: "when it is no longer needed: systemctl stop \(server.unit); rm -rf -- \(place)")
            """
    }
}
