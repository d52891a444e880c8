import NIOCore
import NIOPosix

extension SSHConnection {
    /// The steps from nothing to a session that is logged in.
    func establish() async throws {
        do {
            let knownHosts = try KnownHosts(files: options.knownHostsFiles)
            let revokedKeys = try options.revokedKeysFile.map { file throws(SSHError) in try RevokedKeys(file: file) }
            let limit = failing(wire, after: options.connectTimeout) { [destination, options] in
                let place = "\(destination.address) port \(destination.port)"
                return SSHError(.unreachable, "\(place) did not let us in within \(options.connectTimeout.readable)")
            }
            defer { limit.cancel() }
            try await outer == nil ? reach() : reachThroughJump()
            let session = try Session(wire)
            try await session.exchangeKeys(preferring: knownHosts.keyTypes(of: destination))
            try check(session.hostKey, against: knownHosts, revokedKeys)
            try await Login(as: destination.user, options: options, to: session, on: eventLoop).perform()
            self.session = session
            keepAlive()
        } catch {
            let cause = explained(error)
            wire.fail(cause)
            throw cause
        }
    }

    private func reach() async throws {
        let wire = NIOLoopBound(wire, eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(options.connectTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                // For a cancellation that comes before the connection.
                channel.eventLoop.makeCompletedFuture { wire.value.attach(to: SocketCarrier(channel)) }
            }
        let attempt =
            if let address = try? SocketAddress(ipAddress: destination.address, port: destination.port) {
                bootstrap.connect(to: address)
            } else {
                bootstrap.connect(host: destination.address, port: destination.port)
            }
        do {
            // Only now: of the several attempts on a name, those that lose must not end the wire.
            try await attempt.flatMapThrowing { channel in
                try channel.pipeline.syncOperations.addHandler(WireHandler(wire.value))
            }.get()
        } catch {
            throw wire.value.failure ?? NetworkFailure.unreachable(destination, because: error)
        }
        if let failure = wire.value.failure { throw failure }
    }

    private func reachThroughJump() async throws {
        guard let outer else { return }
        do {
            try await outer.openTunnel(to: destination, for: NIOLoopBound(wire, eventLoop: eventLoop))
        } catch let error as SSHError where error.code == .protocolFailure {
            throw SSHError(
                .unreachable,
                "cannot reach \(destination.address) port \(destination.port) from \(outer.destination.address): "
                    + error.message,
                remedy: "can the jump host reach it, and does its sshd allow that (AllowTcpForwarding)?")
        }
        if let failure = wire.failure { throw failure }
    }

    private func check(_ key: HostKey?, against knownHosts: KnownHosts, _ revokedKeys: RevokedKeys?) throws {
        guard let key else { throw SSHError(.protocolFailure, "the host has presented no key") }
        if let file = options.revokedKeysFile, revokedKeys?.contain(key) == true {
            throw HostKeyFailure.revoked(key, of: destination, by: file)
        }
        let verdict = knownHosts.verdict(on: key, of: destination)
        let file = options.knownHostsFiles.first ?? "~/.ssh/known_hosts"
        if case .unknown(others: []) = verdict, let tell = options.onNewHostKey {
            try NewHostKey(key: key, destination: destination).add(to: file)
            return tell(
                "\(destination.knownHostsName) is new; its \(key.type) key \(key.fingerprint) was added to \(file)")
        }
        let failure = HostKeyFailure.error(
            for: verdict, on: key, of: destination, file: file, authority: knownHosts.authority(of: destination))
        if let failure { throw failure }
    }

    /// Before the login there is no connection that could be lost: the host is not to be had.
    private func explained(_ error: any Error) -> any Error {
        guard let error = error as? SSHError, error.code == .connectionLost else { return error }
        return SSHError(
            .unreachable, "\(destination.address) port \(destination.port): \(error.message) before the login",
            remedy: "is it an SSH server, and does it accept so many connections at once (MaxStartups)?")
    }
}
