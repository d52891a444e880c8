import Inventory
import NIOCore
import SSH

/// A connection to a host and the shell on it.
struct Line: Sendable {
    let connection: any HostConnection
    let shell: RemoteShell

    /// Where locks and outcomes are kept on the host.
    private static let directory = "/run/drover"

    /// Connects, logs in and starts the shell.
    ///
    /// - Parameters:
    ///   - purpose: whether the host is locked.
    ///   - waits: whether to wait for another run that holds the lock. The last step of one that has gone is always
    ///     waited for.
    ///   - onWait: told who holds the lock.
    /// - Throws: `SSHError`, `CancellationError`.
    static func open(
        _ host: Host, for purpose: Sessions.Purpose, settings: ConnectionSettings, waits: Bool,
        onWait: @Sendable (String) -> Void
    ) async throws -> Line {
        let connection: any HostConnection
        let become: Become?
        if host.connection.isLocal {
            let here = LocalConnection(on: settings.eventLoops.next())
            (connection, become) = (here, settings.become(on: host, after: here.login))
        } else {
            let way = try await settings.way(to: host)
            let jump = try await settings.jumps.connection(through: way.jumps)
            connection = try await SSHConnection.connect(
                to: way.destination, through: jump, options: way.options, on: settings.eventLoops.next())
            become = settings.become(on: host, after: way.destination.user)
        }
        func open(waiting time: Duration) async throws -> Line {
            let shell = try await connection.openShell(
                as: become, lockFile: purpose == .change ? "\(directory)/lock" : nil, lockWait: time,
                stateDirectory: directory)
            return Line(connection: connection, shell: shell)
        }
        do {
            do {
                return try await open(waiting: .seconds(1))
            } catch let error as SSHError where error.code == .lockedByStep || (error.code == .locked && waits) {
                onWait(error.message)
                return try await open(waiting: .seconds(7 * 86_400))
            }
        } catch {
            await connection.close()
            throw error
        }
    }
}
