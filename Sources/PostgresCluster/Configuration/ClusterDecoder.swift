import Diagnostics
public import Inventory
import Secrets
import YAML

extension ClusterConfiguration {
    /// Decodes and checks everything that an inventory says of its cluster.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    public init(_ inventory: Inventory) throws {
        var variables = Variables(of: inventory)
        try self.init(inventory, &variables)
    }

    /// - Parameter variables: those of the inventory, which then know what was asked for.
    init(_ inventory: Inventory, _ variables: inout Variables) throws {
        let groups = ClusterGroups(inventory)
        let etcd = groups.nodes(in: "etcd_cluster", &variables)
        let members = groups.nodes(in: "master", &variables) + groups.nodes(in: "replica", &variables)
        let balancers = groups.nodes(in: "balancers", &variables)
        let backupHosts = groups.nodes(in: "pgbackrest", &variables)
        groups.check(&variables.diagnostics)

        let name: String? = variables.required("patroni_cluster_name")
        let postgres = Postgres(&variables)
        let backups = Backups(&variables, cluster: name, hosts: backupHosts, members: members)
        let patroni = Patroni(&variables, backups: backups)
        let pooler = Pooler(&variables)
        let balancing = Balancing(&variables, balancers: balancers)
        let removal = Removal(&variables)
        let users: [Role] = variables.optional("postgresql_users") ?? []
        let databases: [Database] = variables.optional("postgresql_databases") ?? []
        if let name, !Patroni.isScope(name) {
            variables.diagnostics.report(
                "'\(name)' cannot name a cluster", at: variables.location(of: "patroni_cluster_name"),
                remedy: "use letters, digits, '-' and '_'")
        }
        variables.reportClashes(
            logins: [patroni?.superuser, patroni?.replication, pooler?.login].compactMap { $0?.name },
            users: users.map(\.name))
        variables.reportRepeated(databases.map(\.name), in: "postgresql_databases")
        variables.reportRepeated(postgres.parameters.map(\.name), in: "postgresql_parameters")
        variables.reportArchiving(postgres.parameters.map(\.name), with: backups)
        variables.reportUnknown(unsupported: ForeignVariables.reason, isKnown: ForeignVariables.isKnown)
        try variables.diagnostics.throwIfAny()
        guard let name, let patroni, let pooler else { throw variables.diagnostics }
        self.init(
            name: name, etcd: etcd, members: members, balancers: balancers, postgres: postgres, patroni: patroni,
            pooler: pooler, balancing: balancing, users: users, databases: databases, removal: removal,
            backups: backups)
    }
}
