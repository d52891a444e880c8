import Diagnostics
import Inventory
import Secrets
public import YAML

/// `dcs_exists`: an etcd that was there before the cluster, and that stays when the cluster goes. Others may use it too.
public struct ExistingEtcd: Sendable, Hashable {
    /// A member of `patroni_etcd_hosts`.
    public struct Endpoint: Sendable, Hashable {
        public let host: String
        public let port: Int

        var words: String { "\(host):\(port)" }
    }

    /// `patroni_etcd_username`, `patroni_etcd_password`.
    struct Login: Hashable {
        let name: String
        let password: Secret
    }

    /// The scheme of the URLs.
    public enum Scheme: String, CaseIterable, Sendable {
        case http, https
    }

    let endpoints: [Endpoint]
    /// `patroni_etcd_namespace`: the directory of all clusters in it.
    let namespace: String
    let login: Login?
    /// `patroni_etcd_protocol`.
    let scheme: Scheme
    /// `patroni_etcd_cacert`, `patroni_etcd_cert`, `patroni_etcd_key`: files on the members, which the user `postgres` can read.
    let authority: String?
    let certificate: String?
    let key: String?

    func url(of endpoint: Endpoint) -> String { "\(scheme.rawValue)://\(endpoint.words)" }
}

extension ExistingEtcd.Scheme: YAMLDecodable {}

extension ExistingEtcd.Endpoint: YAMLDecodable {
    /// `{ host: 10.0.0.9, port: 2379 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a member of etcd")
        let host: String? = reader.required("host")
        let port = reader.optional("port") ?? 2379
        if let host, host.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?/) == nil {
            reader.diagnostics.report("'\(host)' is no host", at: node.location, remedy: "write one address or name")
        }
        if !(1...65_535).contains(port) {
            reader.diagnostics.report("\(port) is no port", at: node.location, remedy: "write 1 to 65535")
        }
        self.init(host: try reader.finish(host), port: port)
    }
}

extension ExistingEtcd {
    /// Nil when the cluster has an etcd of its own.
    ///
    /// - Parameter own: the group `etcd_cluster`.
    init?(_ variables: inout Variables, own: [Node]) {
        let exists = variables.optional("dcs_exists") ?? false
        let kind: String = variables.optional("dcs_type") ?? "etcd"
        if kind != "etcd" {
            variables.diagnostics.report(
                "the cluster cannot be kept in '\(kind)'", at: variables.location(of: "dcs_type"), remedy: "write etcd")
        }
        guard exists else {
            variables.ignore(
                "patroni_etcd_hosts", "patroni_etcd_protocol", "patroni_etcd_namespace", "patroni_etcd_username",
                "patroni_etcd_password", "patroni_etcd_cacert", "patroni_etcd_cert", "patroni_etcd_key")
            variables.reportNeedless()
            return nil
        }
        let endpoints: [Endpoint] = variables.optional("patroni_etcd_hosts") ?? []
        let scheme: Scheme =
            variables.text("patroni_etcd_protocol") == nil
            ? .http : variables.optional("patroni_etcd_protocol") ?? .http
        let namespace = variables.word(
            "patroni_etcd_namespace", default: ClusterConfiguration.Patroni.namespace)
        let name: String? = variables.text("patroni_etcd_username")
        let given: Secret? = variables.optional("patroni_etcd_password")
        let password = given.flatMap { $0.reveal().isEmpty ? nil : $0 }
        let files = ["patroni_etcd_cacert", "patroni_etcd_cert", "patroni_etcd_key"].map { variables.path($0) }
        if endpoints.isEmpty {
            variables.diagnostics.report(
                "dcs_exists is true, and nobody says where etcd is", at: variables.location(of: "dcs_exists"),
                remedy: "write patroni_etcd_hosts: [{ host: 10.0.0.9, port: 2379 }]")
        }
        if let node = own.first {
            variables.diagnostics.report(
                "'\(node.name)' is in 'etcd_cluster', but dcs_exists is true", at: variables.location(of: "dcs_exists"),
                remedy: "leave it out, or empty the group: no etcd is set up beside the one that exists")
        }
        if (name == nil) != (password == nil) {
            variables.diagnostics.report(
                "patroni_etcd_username and patroni_etcd_password belong together",
                at: variables.location(of: name == nil ? "patroni_etcd_password" : "patroni_etcd_username"),
                remedy: "write both, or none")
        }
        if scheme == .http, let index = files.firstIndex(where: { $0 != nil }) {
            let names = ["patroni_etcd_cacert", "patroni_etcd_cert", "patroni_etcd_key"]
            variables.diagnostics.report(
                "\(names[index]) means nothing without TLS", at: variables.location(of: names[index]),
                remedy: "write patroni_etcd_protocol: https")
        }
        self.init(
            endpoints: endpoints, namespace: namespace,
            login: name.flatMap { name in password.map { Login(name: name, password: $0) } }, scheme: scheme,
            authority: files[0], certificate: files[1], key: files[2])
    }
}

extension Variables {
    /// An absolute path on the hosts; nil when there is none, which an empty text says too.
    fileprivate mutating func path(_ name: String) -> String? {
        guard let path: String = optional(name), !path.isEmpty else { return nil }
        if path.wholeMatch(of: /(\/[A-Za-z0-9_.-]+)+/) == nil {
            diagnostics.report(
                "'\(path)' is no absolute path", at: location(of: name), remedy: "write one, such as /etc/etcd/ca.crt")
        }
        return path
    }

    /// Reports an etcd's address that is not used, since an address is written to be used. Its other settings ask for nothing.
    fileprivate mutating func reportNeedless() {
        guard values(of: "patroni_etcd_hosts").contains(where: { !$0.node.isEmpty }) else { return }
        diagnostics.report(
            "patroni_etcd_hosts means nothing without dcs_exists: true", at: location(of: "patroni_etcd_hosts"),
            remedy: "write that, or take it away")
    }
}

extension ClusterConfiguration {
    /// The directory of all clusters in the consensus store.
    var namespace: String { existingEtcd?.namespace ?? Patroni.namespace }
}
