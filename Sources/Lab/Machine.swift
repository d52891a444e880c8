import Diagnostics
import SystemPackage

/// The machine behind a host of a lab: its disk, its power and its network cable.
struct Machine {
    var name: String
    var address: String
    var places: LabPlaces

    private var disk: FilePath { places.disks.appending(name) }
    private var root: FilePath { Self.root(onDisk: disk) }
    private var console: FilePath { places.state.appending("\(name).console") }
    private var namespace: NetworkNamespace { places.namespace(ofHost: name) }
    private var controlGroup: ControlGroup { places.controlGroup(name) }

    /// What lies under the disk of a host of a snapshot, the newest layer first.
    private var layers: [FilePath] { Snapshot.layers(in: places.snapshot.appending("disks").appending(name)) }

    /// Where the disk of a host is mounted, over the image.
    static func root(onDisk disk: FilePath) -> FilePath { disk.appending("root") }

    /// Where systemd-nspawn leaves an empty folder for every machine that was killed.
    static let leftovers: FilePath = "/run/systemd/nspawn/propagate"

    /// The public half of the key by which the host proves who it is, as the file known_hosts wants it.
    var knownHost: String {
        get throws {
            let path: FilePath = "etc/ssh/ssh_host_ed25519_key.pub"
            let upper = disk.appending("upper")
            let layer = ([upper] + layers).first { Files.exist($0.pushing(path)) } ?? upper
            let key = try Files.text(of: layer.pushing(path)).split(separator: " ")
            return "\(address) \(key.prefix(2).joined(separator: " "))\n"
        }
    }

    var isOn: Bool { controlGroup.isPopulated }

    /// Makes a new disk: what distinguishes this host from the image, and the key that may log in as root.
    func format(image: Image, authorizedKey: String) async throws {
        try makeDisk()
        try mount(image)
        defer { Kernel.unmount(root) }
        try Files.createFolder(root.appending("root/.ssh"), permissions: 0o700)
        try Files.replace(root.appending("root/.ssh/authorized_keys"), with: authorizedKey)
        try Files.replace(root.appending("etc/hostname"), with: "\(name)\n")
        try Files.replace(root.appending("etc/hosts"), with: "127.0.0.1 localhost\n\(address) \(name)\n")
        try await SSHKey.make(root.appending("etc/ssh/ssh_host_ed25519_key"), comment: "root@\(name)")
    }

    /// Makes an empty disk, on which there is only what lies under it.
    func makeDisk() throws {
        try Files.remove(disk)
        for folder in ["upper", "work", "root"] { try Files.createFolder(disk.appending(folder)) }
    }

    /// Copies all layers of the disk into a folder, without what lies under every new disk.
    func keepDisk(in folder: FilePath) async throws {
        try Files.createFolder(folder)
        for (place, layer) in (layers.reversed() + [disk.appending("upper")]).enumerated() {
            try await Program.run(["cp", "--archive", layer.string, folder.appending(String(place + 1)).string])
        }
    }

    private func mount(_ image: Image) throws {
        try Kernel.mountOverlay(
            lower: layers + [image.root], upper: disk.appending("upper"), work: disk.appending("work"), at: root)
    }

    /// Plugs in the cable and boots from the disk. Returns before the host has booted.
    func powerOn(image: Image) async throws {
        try await powerOff()
        try mount(image)
        try await namespace.create()
        try await places.controllerNamespace.configure(
            LabNetwork.cableCommands(port: name, namespace: namespace.name, address: address))
        try await namespace.configure(LabNetwork.hostCommands(address: address))
        try await Launch(command: bootCommand, controlGroup: controlGroup, log: console).run()
    }

    /// The command that boots the host.
    ///
    /// Its settings make `net.*` of /proc/sys writable, and give the host the control groups of a modern Debian even where
    /// this machine has the old ones. No service of this machine is told, so that none must run.
    var bootCommand: [String] {
        [
            "env", "SYSTEMD_NSPAWN_API_VFS_WRITABLE=network", "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1",
            "systemd-nspawn", "--quiet", "--directory=\(root)", "--machine=\(places.machine(ofHost: name))",
            "--hostname=\(name)", "--network-namespace-path=\(namespace.path)",
            "--register=no", "--keep-unit", "--boot", "--console=pipe",
            "--capability=all", "--resolv-conf=off", "--timezone=off", "--link-journal=no",
        ]
    }

    /// Takes the power away: no process ends in order, no peer hears a farewell, and the disk stays as it is.
    ///
    /// The cable goes first, for the kernel closes the connections of a killed process politely. The namespace goes too:
    /// addresses that the host gave itself do not outlive a loss of power.
    func powerOff() async throws {
        try await unplug()
        try await controlGroup.kill()
        // A group that was killed once may kill what a later boot starts in it: systemd 257 on Linux 6.18.
        try controlGroup.remove()
        try namespace.remove()
        Kernel.unmount(root)
    }

    private func unplug() async throws {
        guard places.controllerNamespace.exists else { return }
        let ports = try await places.controllerNamespace.ports()
        if ports.contains(where: { $0.name == name }) {
            try await places.controllerNamespace.configure("link delete \(name)\n")
        }
    }

    private func checkIsOn() throws {
        guard isOn else { throw Diagnostic("\(name) is off", remedy: "run 'drover lab start \(name)' first") }
    }

    var isPaused: Bool {
        get throws { try controlGroup.isFrozen }
    }

    /// Pauses the host, or lets it run again.
    func pause(_ isPaused: Bool) async throws {
        try checkIsOn()
        try await controlGroup.freeze(isPaused)
    }

    /// Puts the network cable in, or takes it out.
    func connect(_ isConnected: Bool) async throws {
        try checkIsOn()
        try await places.controllerNamespace.configure("link set \(name) \(isConnected ? "up" : "down")\n")
    }

    /// Returns when the SSH server of the host answers.
    ///
    /// - Throws: a diagnostic when the host dies first, or takes more than 30 s.
    func waitUntilReachable() async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        let remedy = "read \(console)"
        while await !greets() {
            guard isOn else { throw Diagnostic("\(name) did not boot", remedy: remedy) }
            guard ContinuousClock.now < deadline else {
                throw Diagnostic("the SSH server of \(name) does not answer after 30 s", remedy: remedy)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func greets() async -> Bool {
        let answer = try? await Program.run(
            places.controllerNamespace.entering(["busybox", "nc", "-w", "1", address, "22"]))
        return answer?.hasPrefix("SSH-") ?? false
    }
}
