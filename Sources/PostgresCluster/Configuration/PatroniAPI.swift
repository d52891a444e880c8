import Engine
import Inventory
import SystemResources

/// The REST API of one member's Patroni, and how it is spoken to from a host of the cluster. Whoever wants something of
/// Patroni gets the words for it here.
struct PatroniAPI: Hashable, Sendable {
    let address: String
    let port: Int
    var isEncrypted = false

    /// The file from which `curl` has the password for what changes something; no command line shows it.
    static let login = "/etc/patroni/api.curl"

    /// - Parameter path: begins with a slash.
    func url(_ path: String) -> String { "\(isEncrypted ? "https" : "http")://\(address):\(port)\(path)" }

    private var trust: [String] { isEncrypted ? ["--cacert", HostIdentity.authority] : [] }

    /// What it answers to a GET.
    func question(_ path: String) -> HTTPResponse { HTTPResponse(url(path), options: trust) }

    /// The shell text of a `curl` that reads.
    ///
    /// - Parameter options: of `curl`, in shell text, beside those that this takes anyway.
    func get(_ path: String, _ options: ShellText = "") -> ShellText { curl(options, to: path) }

    /// The shell text of a `curl` that changes something.
    ///
    /// - Parameters:
    ///   - method: POST, unless it is said.
    ///   - body: in JSON.
    func send(_ body: String, to path: String, by method: String? = nil, _ options: ShellText = "") -> ShellText {
        let request: ShellText = method.map { " --request \(quoting: $0)" } ?? ""
        return curl(
            "--config \(quoting: PatroniAPI.login) \(options)\(request) --data-raw \(quoting: body)", to: path)
    }

    private func curl(_ options: ShellText, to path: String) -> ShellText {
        let parts: [ShellText] = [
            "curl --silent --noproxy '*'", "\(words: trust)", options, "\(quoting: url(path))",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension ClusterConfiguration {
    /// The REST API of a member.
    func api(of node: Node) -> PatroniAPI {
        PatroniAPI(address: node.address, port: patroni.restPort, isEncrypted: tls != nil)
    }
}
