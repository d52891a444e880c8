import NIOCore

/// A connection over which shells run on a host: by SSH, or none at all where the host is this machine.
public protocol HostConnection: Actor {
    /// Who has logged in, and where: `user@address:port`, or `user` on this machine.
    nonisolated var login: String { get }

    /// Bytes on the wire so far, each way.
    var statistics: SSHStatistics { get }

    /// Opens a shell, which runs scripts one after the other.
    ///
    /// - Parameters:
    ///   - become: as whom it runs, when not as the user of the login.
    ///   - lockFile: the file on the host to lock as long as the shell is open, or nil to look at the host without
    ///     changing anything. It must be in a directory where only root can write.
    ///   - lockWait: how long to wait for another run to give up the lock.
    ///   - stateDirectory: where the outcome of the last request is kept, for root's eyes only.
    /// - Throws: ``SSHError``: `.locked` when another run holds the lock, `.becomeRefused` when sudo does not let us.
    func openShell(
        as become: Become?, lockFile: String?, lockWait: Duration, stateDirectory: String
    ) async throws -> RemoteShell

    /// Closes all shells, which ends what they run, and then the connection.
    func close()
}

/// What a shell needs to know of the connection over which it runs.
protocol ShellConnection: HostConnection {
    nonisolated var eventLoop: any EventLoop { get }
    nonisolated var options: SSHOptions { get }
    nonisolated var user: String { get }
}

extension ShellConnection {
    /// Fails `wire` with an error, unless that is cancelled within `time`.
    func failing(
        _ wire: Wire, after time: Duration, with error: @escaping @Sendable () -> SSHError
    ) -> Scheduled<Void> {
        let wire = NIOLoopBound(wire, eventLoop: eventLoop)
        return eventLoop.scheduleTask(in: TimeAmount(time)) { wire.value.fail(error()) }
    }

    /// Makes the shell at the other end of a channel our server.
    ///
    /// - Parameter id: what its command has said to sudo: see ``Become/command(_:)``.
    func serve(
        on channel: any ShellChannel, _ id: RequestID, as become: Become?, lockFile: String?, lockWait: Duration,
        stateDirectory: String
    ) async throws -> RemoteShell {
        try await become?.authenticate(on: channel, id, login: user)
        let shell = RemoteShell(on: NIOLoopBound(channel, eventLoop: eventLoop), of: self, as: become)
        let lock = lockFile.map {
            BootText.Lock(file: $0, wait: lockWait, holder: Controller.nameWithTime, stateDirectory: stateDirectory)
        }
        try await shell.boot(taking: lock)
        return shell
    }

    /// How long opening a shell may take: a busy host runs slow profiles.
    func openingTime(lockFile: String?, lockWait: Duration) -> Duration {
        options.connectTimeout * 3 + (lockFile == nil ? .zero : lockWait)
    }
}
