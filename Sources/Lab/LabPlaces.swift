import SystemPackage

/// The names of all that a lab consists of on this machine, none of which another lab uses.
struct LabPlaces {
    /// The name of the lab.
    var name: String

    /// The folder in which each lab has its own folder of state.
    static let allState: FilePath = "/run/drover/lab"

    /// The folder of all that this lab writes, which is a file system in memory: a test host is worth nothing after a loss of
    /// power, and its disk is faster (measured: installing a cluster's packages on three hosts takes 26 s instead of 29 s to
    /// 44 s, which depends on the disk) and removed at once. A host with a whole cluster member on it uses 0.7 GB.
    var state: FilePath { Self.allState.appending(name) }
    /// A folder beside it, so that it outlives the lab, which is locked by whoever changes the lab.
    var lock: FilePath { Self.locks.appending(name) }
    private static let locks: FilePath = "/run/drover/lab-locks"
    var privateKey: FilePath { state.appending("id_ed25519") }
    var knownHosts: FilePath { state.appending("known_hosts") }
    var hosts: FilePath { state.appending("hosts") }
    /// A link to the image that the hosts of this lab are laid over.
    var image: FilePath { state.appending("image") }

    /// A link to the snapshot of which this lab was made, if it was.
    var snapshot: FilePath { state.appending("snapshot") }

    /// What a snapshot keeps of the lab's folder: all but the disks, and what only this lab wrote.
    var kept: [FilePath] {
        Files.names(in: state).filter {
            !["disks", "snapshot", "repository.log"].contains($0) && !$0.hasSuffix(".console")
        }
        .map { state.appending($0) }
    }

    /// The disks of the hosts, one folder each.
    var disks: FilePath { state.appending("disks") }

    /// Namespaces, control groups and machines of a lab are named `drover-lab`, and those of a host `drover-lab.pg1`.
    private var prefix: String { "drover-\(name)" }

    var controllerNamespace: NetworkNamespace { NetworkNamespace(name: prefix) }
    func namespace(ofHost host: String) -> NetworkNamespace { NetworkNamespace(name: "\(prefix).\(host)") }
    func machine(ofHost host: String) -> String { "\(prefix).\(host)" }

    var controlGroup: ControlGroup { ControlGroup(path: FilePath(prefix)) }
    func controlGroup(_ member: String) -> ControlGroup { ControlGroup(path: FilePath(prefix).appending(member)) }

    /// Whether a namespace or machine of this name belongs to the lab.
    func owns(_ name: String) -> Bool { name == prefix || name.hasPrefix(prefix + ".") }
}
