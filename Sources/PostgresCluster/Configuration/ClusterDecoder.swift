import Diagnostics
public import Inventory
import Secrets
import YAML

extension ClusterConfiguration {
    /// Decodes and checks everything that an inventory says of its cluster.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong.
    public init(_ inventory: Inventory) throws {
        let inventory = try ClusterSafe(for: inventory).inventory
        var variables = Variables(of: inventory)
        try self.init(inventory, &variables)
    }

    /// - Parameter variables: those of the inventory, which then know what was asked for.
    init(_ inventory: Inventory, _ variables: inout Variables) throws {
        try inventory.requireOneCluster()
        let groups = ClusterGroups(inventory)
        let etcd = groups.nodes(in: "etcd_cluster", &variables)
        let members = groups.nodes(in: "master", &variables) + groups.nodes(in: "replica", &variables)
        let balancers = variables.balancers(groups.nodes(in: "balancers", &variables))
        let backupHosts = groups.nodes(in: "pgbackrest", &variables)
        let existingEtcd = ExistingEtcd(&variables, own: etcd)
        groups.check(&variables.diagnostics, needsEtcd: existingEtcd == nil)

        let name: String? = variables.required("patroni_cluster_name")
        let tls = TLS(&variables)
        var postgres = Postgres(&variables, tls: tls)
        postgres.localParameters = variables.localParameters(of: members)
        let backups = Backups(&variables, cluster: name, hosts: backupHosts, members: members)
        var walg = WALG(&variables, members: members, besides: backups, directory: inventory.directory)
        let timers = Patroni.Timers(&variables)
        let patroni = Patroni(&variables, timers: timers, members: members, backups: backups, walg: walg)
        let databases: [Database] = variables.optional("postgresql_databases") ?? []
        variables.reportRepeated(postgres.parameters.map(\.name), in: "postgresql_parameters")
        let switched = SwitchedExtensions(&variables, version: postgres.version, databases: databases)
        postgres.add(switched)
        let pooler = Pooler(
            &variables, connectionsForEach: postgres.clientConnections / max(1, databases.count),
            isEncrypted: tls != nil)
        let balancing = Balancing(
            &variables, balancers: balancers, checkInterval: timers.checkInterval,
            isSynchronous: patroni?.synchronous.isOn ?? false, tags: patroni?.tags ?? [:])
        let removal = Removal(&variables)
        let system = SystemSettings(
            &variables, hosts: inventory.hosts, directory: inventory.directory,
            sharedBuffers: postgres.size(of: "shared_buffers", unit: 8192) ?? 134_217_728)
        let monitoring = Monitoring(&variables)
        let existingServer = variables.existingServer(groups: inventory)
        let elsewhere =
            (existingServer == nil ? [] : ["postgresql_exists"])
            + (patroni?.standby == nil ? [] : ["patroni_standby_cluster"])
        let source = variables.backupSource(with: backups, elsewhere: elsewhere)
        let walgSource = variables.walgSource(beside: walg?.options, elsewhere: elsewhere)
        walg?.source = walgSource
        let ownLogins = [patroni?.superuser, patroni?.replication, pooler?.login].compactMap { $0 }
        let users = variables.users(besides: ownLogins)
        let logins = ownLogins.map(\.name) + (monitoring == nil ? [] : [Monitoring.role])
        let content = Content(
            &variables, users: users, logins: logins, databases: databases, parameters: postgres.parameters,
            switched: switched.extensions)
        if let name, !Patroni.isScope(name) {
            variables.diagnostics.report(
                "'\(name)' cannot name a cluster", at: variables.location(of: "patroni_cluster_name"),
                remedy: "use letters, digits, '-' and '_'")
        }
        variables.reportClashes(logins: logins, users: users.map(\.name))
        variables.reportRepeated(databases.map(\.name), in: "postgresql_databases")
        variables.reportArchiving(postgres.parameters.map(\.name), with: backups, or: walg)
        variables.reportSynchronousStandbys(postgres.parameters.map(\.name))
        // A key of PGP has several lines, and JSON escapes them; so may a command have, which the shell quotes.
        variables.reportControlCharacters(except: [
            "wal_g_json", "wal_g_source_json", "pre_deploy_command", "post_deploy_command",
        ])
        variables.reportStrangers()
        guard let name, let patroni, let pooler else { throw variables.diagnostics }
        self.init(
            name: name, etcd: etcd, existingEtcd: existingEtcd, members: members, balancers: balancers,
            postgres: postgres, patroni: patroni,
            pooler: pooler, balancing: balancing, users: users, databases: databases, content: content,
            removal: removal, backups: backups, walg: walg, system: system, monitoring: monitoring,
            existingServer: existingServer,
            tls: tls, source: source)
        variables.reportCollisions(in: self)
        try variables.diagnostics.throwIfAny()
    }
}
