import Inventory
import NIOCore
import SSH

/// A connection to a host and the shell on it.
struct Line: Sendable {
    let connection: SSHConnection
    let shell: RemoteShell

    private static let lockFile = "/run/drover/lock"

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
        let way = try await settings.way(to: host)
        let become = settings.become(on: host, after: way.destination)
        let jump = try await settings.jumps.connection(through: way.jumps)
        let connection = try await SSHConnection.connect(
            to: way.destination, through: jump, options: way.options, on: settings.eventLoops.next())
        do {
            let lockFile = purpose == .change ? lockFile : nil
            do {
                let shell = try await connection.openShell(as: become, lockFile: lockFile)
                return Line(connection: connection, shell: shell)
            } catch let error as SSHError where error.code == .lockedByStep || (error.code == .locked && waits) {
                onWait(error.message)
                let shell = try await connection.openShell(
                    as: become, lockFile: lockFile, lockWait: .seconds(7 * 86_400))
                return Line(connection: connection, shell: shell)
            }
        } catch {
            await connection.close()
            throw error
        }
    }
}
