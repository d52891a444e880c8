import Diagnostics
import SystemPackage

/// A control group, by which the processes of a host are found and killed together.
///
/// The kernel keeps it, so nothing about processes is written down that could be wrong after a crash.
struct ControlGroup {
    /// The path below the root of the hierarchy, such as `drover-lab/pg1`.
    var path: FilePath

    /// The root of the version 2 hierarchy: everything on a modern machine, `unified` beside the old hierarchies on others.
    private static var root: FilePath {
        Files.exist("/sys/fs/cgroup/unified/cgroup.procs") ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup"
    }

    /// Where machines with the old hierarchies keep a second tree of the same groups, which systemd-nspawn makes.
    private static let namedRoot: FilePath = "/sys/fs/cgroup/systemd"

    private var folder: FilePath { Self.root.pushing(path) }

    /// The command line by which `command` runs in the group, which exists.
    func joining(_ command: [String]) -> [String] {
        ["sh", "-c", #"echo $$ > "$1" && shift && exec "$@""#, "sh", folder.appending("cgroup.procs").string] + command
    }

    /// Whether a process is in the group or below it.
    var isPopulated: Bool {
        (try? Files.text(of: folder.appending("cgroup.events")))?.contains("populated 1") ?? false
    }

    /// Creates the group and those above it.
    func create() throws {
        var parent = Self.root
        for component in path.components {
            handDownControllers(from: parent)
            parent.append(component)
            try Files.createFolder(parent)
        }
    }

    /// Lets the groups in `parent` limit memory and so on, as far as the kernel allows. Hosts boot without, too.
    private func handDownControllers(from parent: FilePath) {
        guard let controllers = try? Files.text(of: parent.appending("cgroup.controllers")) else { return }
        let all = controllers.split(whereSeparator: \.isWhitespace).map { "+\($0)" }.joined(separator: " ")
        try? Files.command(parent.appending("cgroup.subtree_control"), all)
    }

    /// Whether its processes are stopped, or are being stopped.
    var isFrozen: Bool {
        get throws { try Files.text(of: folder.appending("cgroup.freeze")).hasPrefix("1") }
    }

    /// Stops every process of the group, also those that a signal cannot stop, or lets them go on; returns when it is so.
    func freeze(_ isFrozen: Bool) async throws {
        try Files.command(folder.appending("cgroup.freeze"), isFrozen ? "1" : "0")
        let wanted = "frozen \(isFrozen ? 1 : 0)"
        let deadline = ContinuousClock.now + .seconds(10)
        while try !Files.text(of: folder.appending("cgroup.events")).contains(wanted) {
            guard ContinuousClock.now < deadline else {
                throw Diagnostic("the processes in \(folder) do not \(isFrozen ? "stop" : "go on")")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Kills every process of the group at once, and returns when none is left.
    func kill() async throws {
        guard isPopulated else { return }
        try Files.command(folder.appending("cgroup.kill"), "1")
        let deadline = ContinuousClock.now + .seconds(10)
        while isPopulated {
            guard ContinuousClock.now < deadline else { throw Diagnostic("the processes in \(folder) do not die") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Removes the group, which has no process any more, and those below it.
    func remove() throws {
        for root in [Self.root, Self.namedRoot] { try Self.removeTree(root.pushing(path)) }
    }

    /// A group is an empty folder to rmdir(2), for its files are the kernel's.
    private static func removeTree(_ folder: FilePath) throws {
        for name in Files.names(in: folder) where Files.exist(folder.appending(name).appending("cgroup.procs")) {
            try removeTree(folder.appending(name))
        }
        try Kernel.removeEmptyFolder(folder)
    }
}
