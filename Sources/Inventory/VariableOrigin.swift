/// The declaration that sets a variable.
public enum VariableOrigin: Hashable, Sendable {
    /// All hosts of the inventory.
    case all
    /// A group of the inventory.
    case group(String)
    /// A host of the inventory.
    case host(String)
    /// `--extra-vars`, whatever form its value has.
    case commandLine

    /// The origin of what a group declares.
    init(ofGroup name: String) {
        self = name == "all" ? .all : .group(name)
    }
}

extension VariableOrigin: CustomStringConvertible {
    /// `all`, `group etcd_cluster`, `host pg1` or `--extra-vars`.
    public var description: String {
        switch self {
        case .all: "all"
        case .group(let name): "group \(name)"
        case .host(let name): "host \(name)"
        case .commandLine: "--extra-vars"
        }
    }
}
