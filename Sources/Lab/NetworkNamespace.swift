import SystemPackage

/// A network namespace with a name, as `ip netns` keeps them.
struct NetworkNamespace {
    var name: String

    /// The folder in which the namespaces of this machine are mounted.
    static let folder: FilePath = "/run/netns"

    var path: FilePath { Self.folder.appending(name) }

    var exists: Bool { Files.exist(path) }

    func create() async throws {
        try await Program.run(["ip", "netns", "add", name])
    }

    /// Runs commands of `ip`, one a line, inside the namespace.
    func configure(_ commands: String) async throws {
        try await Program.run(["ip", "-n", name, "-batch", "-"], input: commands)
    }

    /// The ports of the lab's bridge, when this is the namespace of a controller.
    func ports() async throws -> [LabNetwork.Port] {
        LabNetwork.ports(in: try await Program.run(["ip", "-n", name, "-brief", "link", "show", "type", "veth"]))
    }

    /// Removes the name, as `ip netns delete` does. The namespace goes with the last process in it.
    func remove() throws {
        Kernel.unmount(path)
        try Files.remove(path)
    }

    /// The command line by which `command` runs inside the namespace.
    func entering(_ command: [String]) -> [String] { ["nsenter", "--net=\(path)", "--"] + command }
}
