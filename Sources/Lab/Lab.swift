public import Diagnostics
public import SystemPackage

/// A few hosts on this machine to try Drover on: real machines, each with systemd, an SSH server and a network of its own,
/// which share nothing but the kernel.
///
/// Their addresses exist only inside the lab; ``exec(_:)`` runs a command from where they can be reached. Every lab, whatever
/// its name, has the same addresses. All of it is for root on Linux only.
public struct Lab: Sendable {
    let places: LabPlaces

    /// The private key that may log in to every host as root.
    public var privateKey: FilePath { places.privateKey }
    /// The keys by which the hosts prove who they are, in the format of OpenSSH.
    public var knownHosts: FilePath { places.knownHosts }

    /// Names a lab, which need not exist yet.
    ///
    /// - Throws: a diagnostic when the name does not suit, or the user may not have a lab.
    public static func open(name: String = "lab") throws(Diagnostic) -> Lab {
        let name = try checked(name, names: "a lab")
        #if !os(Linux)
        throw Diagnostic("the lab needs Linux")
        #else
        guard Kernel.isRoot else { throw Diagnostic("the lab needs root", remedy: "run the command with sudo") }
        return Lab(places: LabPlaces(name: name))
        #endif
    }

    /// Sees to it that the lab has hosts `pg1` to `pg<count>`; returns when each new one answers to SSH.
    ///
    /// Hosts that the lab has already are left as they are, and so are those above `count`. What an interrupted `up` left
    /// behind is replaced.
    ///
    /// - Parameters:
    ///   - count: 1 to 200.
    ///   - release: the Debian to run, if the lab has no host yet.
    ///   - isPrepared: whether the packages of a cluster are installed already, if the lab has no host yet.
    ///   - progress: is told what takes long.
    public func up(
        count: Int, release: Release = .bookworm, isPrepared: Bool = false, progress: (String) -> Void = { _ in }
    ) async throws {
        guard (1...LabNetwork.maximumHosts).contains(count) else {
            throw Diagnostic("a lab cannot have \(count) hosts", remedy: "ask for 1 to \(LabNetwork.maximumHosts)")
        }
        try await Program.checkAll()
        let fresh = try await Image.make(
            by: ImageRecipe(release: release, isPrepared: isPrepared), progress: progress)
        try await exclusively {
            if !isServing || !Files.exist(places.hosts) {
                try await demolish()
                try await build(with: fresh, forHosts: count)
            }
            var hosts = try listedHosts()
            let wanted = HostList(count: count)
            try await add(wanted.missing(from: hosts), to: hosts)
            hosts.formUnion(wanted)
            try Files.replace(places.hosts, with: hosts.text)
        }
    }

    /// Removes the lab with all that its hosts have written, whatever state it is in; nothing happens when there is none.
    /// Commands that ``exec(_:)`` runs are the caller's, and go on.
    public func down() async throws {
        try await exclusively { try await demolish() }
    }

    /// The hosts of the lab.
    ///
    /// - Throws: a diagnostic when the lab is not up.
    public func list() async throws -> [LabHost] {
        try checkIsUp()
        let hosts = try listedHosts()
        let cut = try await places.controllerNamespace.ports().filter { !$0.isConnected }.map(\.name)
        return hosts.entries.map { entry in
            let isOn = places.controlGroup(entry.name).isPopulated
            let state: LabHost.State = !isOn ? .stopped : cut.contains(entry.name) ? .cut : .running
            return LabHost(name: entry.name, address: entry.address, state: state)
        }
    }

    /// Becomes a command that runs where the hosts are reached, with this process' input, output, signals and exit status.
    ///
    /// The exit status is 127 when there is no such program.
    ///
    /// - Parameter arguments: the program, looked for in the PATH, and its arguments.
    /// - Throws: a diagnostic when the lab is not up.
    public func exec(_ arguments: [String]) throws -> Never {
        try checkIsUp()
        try Kernel.execute(places.controllerNamespace.entering(arguments))
    }
}

extension Lab {
    /// A name as it was given.
    ///
    /// - Throws: a diagnostic when it is none for `what`, such as "a lab".
    static func checked(_ name: String, names what: String) throws(Diagnostic) -> String {
        guard (1...20).contains(name.utf8.count), name.utf8.allSatisfy({ 0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 })
        else {
            throw Diagnostic("'\(name)' cannot name \(what)", remedy: "use up to 20 lower-case letters and digits")
        }
        return name
    }

    func machine(_ entry: HostList.Entry) -> Machine {
        Machine(name: entry.name, address: entry.address, places: places)
    }

    /// Runs `body` while no other process changes this lab.
    func exclusively(_ body: () async throws -> Void) async throws {
        try await Files.withLock(on: places.lock, body)
    }
}
