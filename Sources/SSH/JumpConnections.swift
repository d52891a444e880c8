public import NIOCore

/// The connections to jump hosts: one login each for all hosts behind it.
public actor JumpConnections {
    /// A host to connect to, and how.
    public struct Hop: Sendable {
        public var destination: SSHDestination
        public var options: SSHOptions

        public init(to destination: SSHDestination, options: SSHOptions) {
            self.destination = destination
            self.options = options
        }
    }

    private let eventLoops: any EventLoopGroup
    private var connections: [[SSHDestination]: SSHConnection] = [:]
    private var attempts: [[SSHDestination]: Task<SSHConnection, any Error>] = [:]

    /// - Parameter eventLoops: serve the connections, and those through them.
    public init(on eventLoops: any EventLoopGroup) {
        self.eventLoops = eventLoops
    }

    /// The connection to the last of these hosts, through those before it; one that was lost is made again.
    ///
    /// - Returns: nil for no hosts.
    /// - Throws: ``SSHError`` that names the jump host.
    public func connection(through hops: [Hop]) async throws -> SSHConnection? {
        guard let last = hops.last else { return nil }
        let key = hops.map(\.destination)
        if attempts[key] == nil, let connection = connections[key], await connection.isOpen { return connection }
        // Another may have begun while we looked.
        if let attempt = attempts[key] { return try await attempt.value }
        let attempt = Task { [eventLoops] in
            let outer = try await self.connection(through: Array(hops.dropLast()))
            do {
                return try await SSHConnection.connect(
                    to: last.destination, through: outer, options: last.options, on: eventLoops)
            } catch var error as SSHError {
                error.message = "the jump host \(last.destination.address): \(error.message)"
                throw error
            }
        }
        attempts[key] = attempt
        defer { attempts[key] = nil }
        let opened = try await attempt.value
        connections[key] = opened
        return opened
    }
}
