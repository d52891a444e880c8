import SystemResources

/// Decides whether a host may become a member of a running cluster.
struct Admission {
    let name: String
    let address: String
    let membership: Membership
    let leader: LeaderCapacity.Answer
    let leaderHost: HostFitness.Answer
    let host: HostFitness.Answer
    /// The locales of the host, in the spelling of `GeneratedLocales`.
    let locales: Set<String>
    /// How many more connections send the log while the host is cloned.
    static let sendersOfAClone = 2

    /// Everything that stands in the way of a host without a database, each as a sentence with its remedy.
    var obstacles: [String] {
        nameInUse + room + likeness
    }

    /// A member at this very address that does not run is the host itself, which has lost its data.
    private var nameInUse: [String] {
        guard let other = membership.member(named: name), other.isRunning || other.address != address else { return [] }
        return [
            "the cluster already has a member \(name) at \(other.address ?? "an unknown address"), which is "
                + "\(other.state): choose another name, or wait until the cluster has forgotten it"
        ]
    }

    private var room: [String] {
        var found: [String] = []
        let senders = leader.senders + Admission.sendersOfAClone
        if senders > leader.senderLimit {
            found.append(
                "cloning needs \(senders) senders of the log in all, and max_wal_senders is \(leader.senderLimit): set it to "
                    + "\(senders) or more in postgresql_parameters, apply deploy-cluster, and restart the members")
        }
        // One of its own, and for the time of the clone one that pg_basebackup makes.
        let slots = leader.slots.union([ReplicationSlot.name(of: name)]).count + 1
        if slots > leader.slotLimit {
            found.append(
                "cloning needs \(slots) replication slots in all, and max_replication_slots is \(leader.slotLimit): set it "
                    + "to \(slots) or more in postgresql_parameters, apply deploy-cluster, and restart the members")
        }
        let needed = leader.size / 10 * 11
        if host.free < needed {
            found.append(
                "\(name) has \(Admission.megabytes(host.free)) free for the data directory, and a tenth more than the "
                    + "leader's data is \(Admission.megabytes(needed)): give it a larger disk")
        }
        return found
    }

    private var likeness: [String] {
        var found: [String] = []
        if host.library != leaderHost.library {
            found.append(
                "\(name) has \(host.library), the leader \(leaderHost.library): another C library may sort texts otherwise, "
                    + "and indexes would be wrong there; bring both hosts to the same release")
        }
        let missing = leader.locales.filter {
            !["C", "POSIX"].contains($0) && !locales.contains(GeneratedLocales.spelling(of: $0))
        }
        if !missing.isEmpty {
            found.append(
                "\(name) lacks the locale \(missing.sorted().joined(separator: ", ")) of the leader's databases: generate it "
                    + "there with `locale-gen`")
        }
        if let version = host.version, !Admission.version(version, suits: leader.version) {
            found.append(
                "\(name) would run PostgreSQL \(version), the leader runs \(leader.version): a replica has the same major "
                    + "version and no older minor one; update its package lists")
        }
        return found
    }

    /// - Parameters:
    ///   - package: the version of a package: `15.14-0+deb12u1`.
    ///   - server: what the leader runs: `15.14`.
    static func version(_ package: String, suits server: String) -> Bool {
        func numbers(_ text: some StringProtocol) -> [Int] {
            text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").compactMap { Int($0) }
        }
        let (own, leading) = (numbers(package), numbers(server))
        guard let major = own.first, major == leading.first else { return false }
        return own.dropFirst().first ?? 0 >= leading.dropFirst().first ?? 0
    }

    private static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_048_576) MB" }
}
