import Drover
import Inventory
import SystemResources

/// One member of etcd, and how it is spoken to from a host of the cluster. Whoever wants something of etcd gets the words for
/// it here.
struct EtcdEndpoint: Hashable, Sendable {
    let address: String

    private static let scheme = "http"

    /// Where clients reach it.
    var clientURL: String { "\(EtcdEndpoint.scheme)://\(address):2379" }
    /// Where the other members reach it.
    var peerURL: String { "\(EtcdEndpoint.scheme)://\(address):2380" }

    /// What it answers.
    ///
    /// - Parameters:
    ///   - path: begins with a slash.
    ///   - post: the body of a POST request, of a GET when there is none.
    func question(_ path: String, post: String? = nil) -> HTTPResponse {
        HTTPResponse(clientURL + path, post: post)
    }

    /// The shell text of a `curl`.
    ///
    /// - Parameter options: of `curl`, in shell text, beside those that this takes anyway.
    func curl(_ path: String, _ options: String) -> String {
        "curl --silent --noproxy '*' \(options) \(Shell.quote(clientURL + path))"
    }

    /// Shell text that makes `etcdctl` in what follows speak to these members.
    static func control(_ endpoints: [EtcdEndpoint]) -> String {
        let urls = endpoints.map(\.clientURL).joined(separator: ",")
        return "export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=\(Shell.quote(urls))"
    }
}

extension ClusterConfiguration {
    /// How a member of etcd is spoken to.
    func endpoint(of node: Node) -> EtcdEndpoint { EtcdEndpoint(address: node.address) }
}
