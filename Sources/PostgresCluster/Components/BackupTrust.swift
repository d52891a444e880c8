public import Engine
public import Inventory
import Secrets
import SystemResources

/// What goes into `/etc/ssh/ssh_config.d/drover-pgbackrest.conf`.
struct BackupReachConfiguration: ConfigurationFile {
    static let template = "pgbackrest.ssh.conf"
    static let path = "/etc/ssh/ssh_config.d/drover-pgbackrest.conf"

    let user: String
    let keyFile: String
    let knownHosts: String
    let peers: [Peer]

    enum CodingKeys: String, CodingKey {
        case user, keyFile = "key_file", knownHosts = "known_hosts", peers
    }
}

extension Cluster {
    /// The hosts that log in to each other for the backups: none when the members reach the repository themselves.
    public var backupPeers: [Host] {
        configuration.backups?.host == nil ? [] : configuration.backupHosts.map(\.host)
    }

    /// Those with whom a host exchanges backups: the members for the host of the repository, and that for a member.
    private func peers(of host: Host) -> [Node] {
        guard let repository = configuration.backups?.host else { return [] }
        return host.name == repository.name ? configuration.members : [repository]
    }

    /// Who exchanges backups on a host.
    func backupUser(on host: Host) -> String {
        guard let backups = configuration.backups, host.name == backups.host?.name else { return "postgres" }
        return backups.user
    }

    /// The key with which a host logs in to its peers, and how it does. The private key never leaves the host.
    @ResourceBuilder
    func backupKey(on host: Host) throws -> [any Resource] {
        if !peers(of: host).isEmpty {
            let user = backupUser(on: host)
            let file = BackupIdentity.keyFile
            let key = ShellText.quoting(file)
            Directory("/etc/pgbackrest")
            try Command(
                """
                umask 077
                rm -f \(key).new \(key).new.pub
                ssh-keygen -q -t ed25519 -N '' -C \(quoting: "pgbackrest@\(host.name)") -f \(key).new
                chmod 0644 \(key).new.pub
                chown \(quoting: user + ":") \(key).new
                sync \(key).new.pub \(key).new
                mv -fT \(key).new.pub \(key).pub
                mv -fT \(key).new \(key)
                """, called: "ssh-keygen for the backups", creates: file)
            File(
                BackupReachConfiguration.path,
                containing: try templates.render(
                    BackupReachConfiguration(
                        user: user, keyFile: file, knownHosts: Self.knownHosts, peers: peers(of: host).map(Peer.init))))
        }
    }

    /// Whom a host lets in, and by which keys it knows them: what its peers have made is told by them.
    @ResourceBuilder
    public func backupTrust(on host: Host) throws -> [any Resource] {
        let peers = peers(of: host)
        let identities = peers.map { backupSightings.identities[$0.name] }
        let side: BackupGate.Side = host.name == configuration.backups?.host?.name ? .repository : .server
        let userKeys = zip(peers, identities).compactMap { peer, identity in
            identity?.userKey.map { "\(BackupGate.restriction(to: side, from: peer.address)) \($0)" }
        }
        let hostKeys = zip(peers, identities).flatMap { peer, identity in
            (identity?.hostKeys ?? []).sorted().map { "\(Self.pattern(of: peer)) \($0)" }
        }
        let user = backupUser(on: host)
        let home = user == "postgres" ? "/var/lib/postgresql" : "/home/\(user)"
        Directory("\(home)/.ssh", owner: user, group: user, mode: 0o700)
        File(BackupGate.path, containing: MaskedText(BackupGate.script), mode: 0o755, checkedBy: "sh -n")
        try awaited(
            "\(home)/.ssh/authorized_keys", userKeys, isKnown: userKeys.count == peers.count)
        try awaited(Self.knownHosts, hostKeys, isKnown: identities.allSatisfy { $0?.hostKeys.isEmpty == false })
    }

    private func awaited(_ path: String, _ lines: [String], isKnown: Bool) throws -> Awaited {
        let block = try Block(
            "pgbackrest", in: path, containing: MaskedText(lines.map { $0 + "\n" }.joined()), createsFile: true)
        return Awaited(resource: block, announcement: isKnown ? nil : "put the block pgbackrest into \(path)")
    }

    private static let knownHosts = "/etc/pgbackrest/known_hosts"

    /// A host as `known_hosts` names it (sshd(8)).
    private static func pattern(of node: Node) -> String {
        guard let port = node.host.port, port != 22 else { return node.address }
        return "[\(node.address)]:\(port)"
    }
}
