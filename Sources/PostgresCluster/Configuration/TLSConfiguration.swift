import Diagnostics
import Inventory
import Secrets

extension ClusterConfiguration {
    /// How what goes over the network is encrypted.
    public struct TLS: Sendable, Equatable {
        /// `tls_names`: names and addresses under which clients reach the database, besides those that are known.
        public let names: [String]
        /// `tls_cert_generate`: whether certificates are issued, or somebody else puts them on the hosts.
        public let isIssued: Bool
    }

    /// The host names and addresses for which the certificate of a node stands.
    func certificateNames(of node: Node, as identity: HostIdentity) -> [String] {
        var names = [node.name, node.address, node.host.address, "localhost", "127.0.0.1"]
        if identity == .postgres { names += [balancing.address].compactMap { $0 } + (tls?.names ?? []) }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// As whom the daemons of a host show themselves.
    func identities(of host: Host) -> [(identity: HostIdentity, node: Node)] {
        let nodes = [(HostIdentity.etcd, etcd), (.postgres, members), (.etcdClient, etcd.isEmpty ? [] : members)]
        return nodes.compactMap { identity, nodes in nodes.first { $0.name == host.name }.map { (identity, $0) } }
    }
}

extension ClusterConfiguration.TLS {
    /// Nil when it is off.
    init?(_ variables: inout Variables) {
        let isOn = variables.optional("tls_enable") ?? true
        let names: [String] = variables.optional("tls_names") ?? []
        for name in names where name.wholeMatch(of: /[A-Za-z0-9*]([A-Za-z0-9._-]*[A-Za-z0-9])?/) == nil {
            variables.diagnostics.report(
                "'\(name)' is neither a host name nor an IPv4 address", at: variables.location(of: "tls_names"),
                remedy: "write such as db.example.com")
        }
        let isIssued = variables.optional("tls_cert_generate") ?? true
        guard isOn else { return nil }
        self.init(names: names, isIssued: isIssued)
    }
}

extension ClusterConfiguration.Patroni {
    /// `patroni_restapi_username`, `patroni_restapi_password`. `ClusterSafe` gives the latter to an inventory without it; only
    /// who reviews the variables of an inventory leaves that out.
    static func restLogin(_ variables: inout Variables) -> ClusterConfiguration.Login {
        let name = variables.word("patroni_restapi_username", default: "patroni")
        let given: Secret? = variables.optional("patroni_restapi_password")
        return ClusterConfiguration.Login(name: name, password: given ?? PasswordFile.random())
    }
}
