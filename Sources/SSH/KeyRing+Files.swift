public import NIOCore

extension KeyRing {
    /// Whether a key file exists and is encrypted.
    public static func isLocked(_ file: String) -> Bool {
        PrivateKeyFile(reading: file).kind == .encrypted
    }

    /// The keys that an agent holds.
    public struct HeldKeys: Sendable {
        let keys: Set<HostKey>

        /// Whether the key of a file is among them.
        public func holds(_ file: String) -> Bool { PrivateKeyFile(reading: file).isAmong(keys) }
    }

    /// What the user's own agent holds; nothing when there is none, or when it does not answer.
    public static func keysOfUser(on eventLoop: any EventLoop) async -> HeldKeys {
        var keys: Set<HostKey> = []
        for socket in SSHOptions().agentSockets {
            guard let agent = try? await Agent.connect(to: socket, on: eventLoop) else { continue }
            let limit = eventLoop.scheduleTask(in: .seconds(5)) { agent.close() }
            keys.formUnion(((try? await agent.keys()) ?? []).map(\.key))
            limit.cancel()
            agent.close()
        }
        return HeldKeys(keys: keys)
    }
}
