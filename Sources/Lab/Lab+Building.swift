import Diagnostics
import SystemPackage

extension Lab {
    private static let repository = "repository"

    /// Whether the package repository, the first that a lab gets, is served.
    var isServing: Bool { places.controlGroup(Self.repository).isPopulated }

    func checkIsUp() throws(Diagnostic) {
        guard isServing, Files.exist(places.hosts) else {
            throw Diagnostic(
                "the lab '\(places.name)' is not up", remedy: "run 'drover lab up --name \(places.name)' first")
        }
    }

    /// The hosts that are complete: none of a lab that was never up.
    func listedHosts() throws -> HostList {
        HostList(parsing: Files.exist(places.hosts) ? try Files.text(of: places.hosts) : "")
    }

    /// The image that the hosts of this lab are laid over, which can be older than the one of today's recipe.
    func currentImage() -> Image { Image(folder: places.image) }

    /// Makes a lab without hosts: the key, the network, and the package repository.
    func build(with image: Image, forHosts count: Int) async throws {
        try makeFolder(forHosts: count)
        try Files.link(places.image, to: image.folder)
        try await SSHKey.make(places.privateKey, comment: "lab")
        try await serve(image)
    }

    /// Makes a lab without hosts that has the files of a snapshot, but for the list of the hosts, none of which is complete.
    func build(from snapshot: Snapshot) async throws {
        try makeFolder(forHosts: snapshot.hosts.entries.count)
        try await Program.run(["cp", "--archive", "\(snapshot.files)/.", places.state.string])
        try Files.remove(places.hosts)
        try Files.link(places.snapshot, to: snapshot.folder)
        try await serve(currentImage())
    }

    private func makeFolder(forHosts count: Int) throws {
        let disks = LabDisks.now(without: places.name)
        try disks.checkRoom(forHosts: count)
        try Files.createFolder(places.state)
        try Kernel.mountMemory(at: places.state, size: disks.free)
    }

    private func serve(_ image: Image) async throws {
        try allowManyHosts()
        try await places.controllerNamespace.create()
        try await places.controllerNamespace.configure(LabNetwork.bridgeCommands)
        try await Launch(
            command: places.controllerNamespace.entering([
                "busybox", "httpd", "-f", "-p", "\(LabNetwork.controllerAddress):80", "-h", "\(image.packages)",
            ]),
            controlGroup: places.controlGroup(Self.repository), log: places.state.appending("repository.log")
        ).run()
    }

    /// Raises the kernel's limit of inotify instances, whose 128 are enough for some twenty hosts.
    private func allowManyHosts() throws {
        let setting: FilePath = "/proc/sys/fs/inotify/max_user_instances"
        let limit = try Int(Files.text(of: setting).filter(\.isNumber)) ?? 0
        if limit < 8192 { try Files.command(setting, "8192") }
    }

    /// Makes new hosts beside those that are there.
    func add(_ new: [HostList.Entry], to old: HostList) async throws {
        try LabDisks.now().checkRoom(forHosts: new.count)
        let machines = new.map(machine)
        let key = try SSHKey.publicKey(of: places.privateKey)
        try await boot(machines) { machine in
            try await machine.powerOff()
            try await machine.format(image: currentImage(), authorizedKey: key)
        }
        let known = try (old.entries.map(machine) + machines).map { try $0.knownHost }
        try Files.replace(places.knownHosts, with: known.joined())
    }

    /// Boots machines, a few at a time so that each gets a share of the processors; returns when each answers to SSH.
    func boot(_ machines: [Machine], after prepare: (Machine) async throws -> Void) async throws {
        let together = 8
        for (place, machine) in machines.enumerated() {
            if place >= together { try await machines[place - together].waitUntilReachable() }
            try await prepare(machine)
            try await machine.powerOn(image: currentImage())
        }
        for machine in machines.suffix(together) { try await machine.waitUntilReachable() }
    }

    /// Removes all that bears the lab's name, found by that name alone: what was written down may be incomplete.
    func demolish() async throws {
        try await places.controlGroup.kill()
        for name in Files.names(in: NetworkNamespace.folder) where places.owns(name) {
            try NetworkNamespace(name: name).remove()
        }
        for host in Files.names(in: places.disks) { Kernel.unmount(Machine.root(onDisk: places.disks.appending(host))) }
        Kernel.unmount(places.state)
        try Files.remove(places.state)
        try places.controlGroup.remove()
        for name in Files.names(in: Machine.leftovers) where places.owns(name) {
            try Kernel.removeEmptyFolder(Machine.leftovers.appending(name))
        }
    }
}
