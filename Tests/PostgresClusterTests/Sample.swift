import Engine
import Inventory
import TestSupport

@testable import PostgresCluster

/// A small cluster, and the pieces that tests make of it.
enum Sample {
    static let groups = """
            etcd_cluster:
              hosts:
                pg1: { ansible_host: 10.0.0.1 }
                pg2: { ansible_host: 10.0.0.2 }
                pg3: { ansible_host: 10.0.0.3, bind_address: 10.9.0.3 }
            balancers:
              hosts: { pg1: , pg2: }
            master:
              hosts: { pg1: }
            replica:
              hosts: { pg2: , pg3: }
        """

    static let variables = [
        "patroni_cluster_name: demo",
        "patroni_superuser_password: super-pw",
        "patroni_replication_password: \"it's repl\"",
        "pgbouncer_auth_password: 'pool\"er'",
    ]

    /// The variables begin on line 3 of the file.
    static func text(_ variables: [String] = variables, groups: String = groups) -> String {
        "all:\n  vars:\n" + variables.map { "    \($0)\n" }.joined() + "  children:\n" + groups + "\n"
    }

    /// Without TLS, unless it is asked for: most tests are about something else.
    static func configuration(_ text: String = text(), tls: Bool = false) throws -> ClusterConfiguration {
        let directory = try TemporaryDirectory(["hosts.yml": text])
        return try ClusterConfiguration(
            Inventory.load(
                file: directory.path + "/hosts.yml",
                extraVariables: ["patroni_restapi_password=rest-pw"] + (tls ? [] : ["tls_enable=false"])))
    }

    static func cluster(
        _ text: String = text(), state: ClusterState = .new, membership: Membership = Membership(),
        templates folder: String = folder("templates"), tls: Bool = false,
        observed: (inout Observations, ClusterConfiguration) -> Void = { _, _ in }
    ) throws -> Cluster {
        let configuration = try configuration(text, tls: tls)
        var observations = Observations()
        observed(&observations, configuration)
        return Cluster(
            configuration: configuration, state: state, membership: membership, observed: observations,
            templates: try ClusterTemplates(folder: folder))
    }

    /// A folder of the checkout.
    static func folder(_ name: String, of file: String = #filePath) -> String {
        let root = file.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/\(name)"
    }
}
