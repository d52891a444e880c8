import FoundationEssentials
public import NIOCore

/// Shells on this machine, by the protocol of those on other hosts: whatever is true of them there is true here.
public actor LocalConnection: ShellConnection {
    nonisolated let eventLoop: any EventLoop
    nonisolated let options = SSHOptions()
    nonisolated let user = ProcessInfo.processInfo.userName
    public nonisolated var login: String { user }

    private var channels: [LocalChannel] = []

    public nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }

    /// Nothing goes over a wire.
    public var statistics: SSHStatistics { SSHStatistics() }

    /// - Parameter group: one of its event loops will serve the shells.
    public init(on group: any EventLoopGroup) {
        eventLoop = group.next()
    }

    public func openShell(
        as become: Become? = nil, lockFile: String? = nil, lockWait: Duration = .seconds(1),
        stateDirectory: String = "/run/drover"
    ) async throws -> RemoteShell {
        let id = RequestID()
        let channel = try await LocalChannel(command: become?.command(id) ?? "exec /bin/sh", on: eventLoop)
        channels.append(channel)
        let time = openingTime(lockFile: lockFile, lockWait: lockWait)
        let limit = failing(channel.wire, after: time) {
            SSHError(.timedOut, "this machine did not start a shell within \(time.readable)")
        }
        defer { limit.cancel() }
        return try await serve(
            on: channel, id, as: become, lockFile: lockFile, lockWait: lockWait, stateDirectory: stateDirectory)
    }

    public func close() {
        for channel in channels { channel.wire.close(SSHConnection.closed) }
    }
}
