import Engine
import Inventory
import SystemResources

/// One member of etcd, and how it is spoken to from a host of the cluster. Whoever wants something of etcd gets the words for
/// it here.
struct EtcdEndpoint: Hashable, Sendable {
    let address: String
    /// As whom it is spoken to; nil without TLS.
    var identity: HostIdentity?

    private var scheme: String { identity == nil ? "http" : "https" }

    /// A word of the shell: the file with the authority of etcd. One that an earlier version has set up, and one whose
    /// certificates others issue, may trust that of the cluster.
    private static let trust: ShellText = """
        $([ -f \(quoting: HostIdentity.etcdAuthority) ] && echo \(quoting: HostIdentity.etcdAuthority) || \
        echo \(quoting: HostIdentity.authority))
        """

    /// The options of `curl`, in shell text, with which a host asks as this.
    private var login: ShellText? {
        identity.map { "--cacert \(Self.trust) --cert \(quoting: $0.certificate) --key \(quoting: $0.key)" }
    }

    /// Where clients reach it.
    var clientURL: String { "\(scheme)://\(address):2379" }
    /// Where the other members reach it.
    var peerURL: String { "\(scheme)://\(address):2380" }

    /// What it answers.
    ///
    /// - Parameters:
    ///   - path: begins with a slash.
    ///   - post: the body of a POST request, of a GET when there is none.
    func question(_ path: String, post: String? = nil) -> HTTPResponse {
        HTTPResponse(clientURL + path, post: post, evaluating: login)
    }

    /// The shell text of a `curl`.
    ///
    /// - Parameter options: of `curl`, in shell text, beside those that this takes anyway.
    func curl(_ path: String, _ options: ShellText) -> ShellText { command(clientURL + path, options) }

    /// The shell text of a `curl` that asks for the members, as another member does: not over HTTP/2, which the port of the
    /// peers takes for gRPC.
    var curlForMembers: ShellText { command(peerURL + "/members", "--http1.1 --output /dev/null --max-time 1") }

    private func command(_ url: String, _ options: ShellText) -> ShellText {
        let words: [ShellText?] = ["curl --silent --noproxy '*'", login, options, .quoting(url)]
        return words.compactMap(\.self).joined(separator: " ")
    }

    /// Shell text that makes `etcdctl` in what follows speak to these members.
    static func control(_ endpoints: [EtcdEndpoint]) -> ShellText {
        let urls = endpoints.map(\.clientURL).joined(separator: ",")
        let files: ShellText? = endpoints.first?.identity.map {
            " ETCDCTL_CACERT=\(trust) ETCDCTL_CERT=\(quoting: $0.certificate) ETCDCTL_KEY=\(quoting: $0.key)"
        }
        return "export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=\(quoting: urls)\(files ?? "")"
    }
}

extension ClusterConfiguration {
    /// How a member of etcd is spoken to.
    ///
    /// - Parameter identity: as whom; a host of etcd itself has that of etcd, a member of the cluster that of PostgreSQL.
    func endpoint(of node: Node, as identity: HostIdentity = .etcd) -> EtcdEndpoint {
        EtcdEndpoint(address: node.address, identity: tls == nil ? nil : identity)
    }
}
