import FoundationEssentials
import Inventory
import NIOCore
import SSH

/// The open sessions of a run, one a host.
struct Sessions: Sendable {
    /// Who may be at work on the hosts at the same time.
    enum Purpose: Sendable {
        /// Looking only: any number of runs.
        case observe
        /// Changing: one run a host; a second one is told who holds it.
        case change
    }

    private let sessions: [String: HostSession]

    /// Connects to all hosts at once.
    ///
    /// - Throws: ``HostFailures`` with every host that could not be reached, after closing the others.
    static func open(_ hosts: [Host], for purpose: Purpose, settings: ConnectionSettings) async throws -> Sessions {
        let results = await concurrently(hosts) { host in
            await Result(catching: { try await open(host, for: purpose, settings: settings) })
        }
        var sessions: [String: HostSession] = [:]
        var failures: [HostFailures.Failure] = []
        for (host, result) in zip(hosts, results) {
            switch result {
            case .success(let session): sessions[host.name] = session
            case .failure(let error): failures.append(HostFailures.Failure(host: host.name, error: error))
            }
        }
        let opened = Sessions(sessions: sessions)
        guard failures.isEmpty else {
            await opened.close()
            throw HostFailures(failures)
        }
        return opened
    }

    subscript(_ host: Host) -> HostSession? { sessions[host.name] }

    func costs() async -> [String: HostSession.Costs] {
        var costs: [String: HostSession.Costs] = [:]
        for (name, session) in sessions { costs[name] = await session.costs }
        return costs
    }

    func close() async {
        _ = await concurrently(Array(sessions.values)) { await $0.close() }
    }

    /// Connects to one host.
    static func open(
        _ host: Host, for purpose: Purpose, settings: ConnectionSettings
    ) async throws -> HostSession {
        let destination = SSHDestination(
            address: host.address, port: host.port ?? 22,
            user: host.user ?? settings.user ?? ProcessInfo.processInfo.userName)
        var options = SSHOptions()
        if let keyFile = host.keyFile ?? settings.keyFile { options.keyFiles = [keyFile] }
        if let file = settings.knownHostsFile ?? host.knownHostsFile { options.knownHostsFiles = [file] }
        let connection = try await SSHConnection.connect(
            to: destination, options: options, on: settings.eventLoops.next())
        do {
            let shell = try await connection.openShell(
                lockFile: purpose == .change ? "/run/drover/lock" : nil)
            return HostSession(host: host, connection: connection, shell: shell)
        } catch {
            await connection.close()
            throw error
        }
    }
}
