import Diagnostics
public import Inventory
import NIOCore
import SSH
public import Secrets

extension ConnectionSettings {
    /// Decrypts the key files with which these hosts are to be reached, each once for all of them. Keys that the user's own
    /// agent holds are left alone.
    ///
    /// - Parameters:
    ///   - hosts: those of the inventory.
    ///   - ask: asks the person for the passphrase of a file; returns nil when there is nobody to ask, or no answer.
    /// - Throws: a `Diagnostic` when a passphrase is wrong.
    public mutating func unlock(
        keysOf hosts: [Host], ask: (_ file: String) async throws -> Secret?
    ) async throws {
        for (file, host) in try await lockedKeys(of: hosts) {
            if let passphrase = host.connection.passphrase {
                guard try await add(file, passphrase) else {
                    throw Diagnostic(
                        "the passphrase of the key \(file) is wrong",
                        remedy: "check ansible_ssh_private_key_passphrase of \(host.name)")
                }
                continue
            }
            // As often as ssh asks.
            var isOpen = false
            for _ in 0..<3 where !isOpen {
                guard let passphrase = try await ask(file) else { break }
                isOpen = try await add(file, passphrase)
            }
        }
    }

    /// The encrypted files that no agent holds, each with the first host that wants it.
    private func lockedKeys(of hosts: [Host]) async throws -> [(file: String, host: Host)] {
        // What is wrong with a way is told when the host is to be reached.
        let hosts = hosts.filter { !$0.connection.isLocal }
        let ways = await concurrently(hosts, atMost: 32) { try? await way(to: $0) }
        var seen: Set<String> = []
        var locked: [(file: String, host: Host)] = []
        for (host, way) in zip(hosts, ways) {
            guard let way else { continue }
            // Nobody needs to open the customary keys when there is a password.
            let files = way.options.password == nil || isKeyNamed(for: host) ? way.options.keyFiles : []
            for file in files + way.jumps.flatMap(\.options.keyFiles)
            where seen.insert(file).inserted && KeyRing.isLocked(file) {
                locked.append((file, host))
            }
        }
        guard !locked.isEmpty else { return [] }
        let held = await KeyRing.keysOfUser(on: eventLoops.next())
        return locked.filter { !held.holds($0.file) }
    }

    private func isKeyNamed(for host: Host) -> Bool { host.connection.keyFile ?? keyFile != nil }

    private mutating func add(_ file: String, _ passphrase: Secret) async throws -> Bool {
        let ring: KeyRing
        if let keyRing { ring = keyRing } else { ring = try await KeyRing() }
        keyRing = ring
        switch try await ring.add(file, passphrase: passphrase) {
        case .added: return true
        case .wrongPassphrase: return false
        case .failed(let words): throw Diagnostic("the key \(file) cannot be used: \(words)")
        }
    }
}
