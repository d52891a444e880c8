public import Engine

extension Cluster {
    /// What the leader must have before its replicas are cloned: the cluster's own roles, the pooler's lookup, and the roles
    /// and databases of the inventory.
    ///
    /// A cluster that follows another one has what that one has.
    @ResourceBuilder
    public var catalogue: [any Resource] {
        if configuration.patroni.standby == nil {
            ownCatalogue
        } else {
            SourceRights(
                pooler: configuration.pooler.login.name, replication: configuration.patroni.replication.name,
                catalog: catalog)
        }
    }

    @ResourceBuilder
    private var ownCatalogue: [any Resource] {
        // A server that has stood alone so far has them before Patroni comes.
        for login in adoption == nil ? [configuration.patroni.superuser, configuration.patroni.replication] : [] {
            PostgresRole(
                role: login.name, password: login.password, flags: nil, comesWithCluster: true, catalog: catalog)
        }
        RewindRights(role: configuration.patroni.replication.name, catalog: catalog)
        let pooler = configuration.pooler.login
        PostgresRole(role: pooler.name, password: pooler.password, flags: [], catalog: catalog)
        monitoringRole
        for role in configuration.users {
            PostgresRole(
                role: role.name, password: role.password, flags: role.flags, canLogIn: role.canLogIn,
                inherits: role.inherits, connectionLimit: role.connectionLimit, expiry: role.expiry, catalog: catalog)
        }
        for role in configuration.users {
            for group in role.memberOf { PostgresMembership(role: role.name, group: group, catalog: catalog) }
        }
        for database in configuration.databases {
            PostgresDatabase(database: database, catalog: catalog)
        }
        content
        for database in databasesWithLookup {
            PoolerLookup(database: database, login: configuration.pooler.login.name, catalog: catalog)
        }
    }

    /// What the databases have in them, in the order in which one may need the other.
    @ResourceBuilder
    private var content: [any Resource] {
        let wanted = configuration.content
        let grants = wanted.grants.map { $0.inVersion(configuration.postgres.version) }
        let contents = DatabaseContents(
            catalog: catalog, databases: configuration.databasesWithContent, grants: grants)
        for schema in wanted.schemas { PostgresSchema(schema: schema, contents: contents) }
        for item in wanted.extensions { PostgresExtension(extension: item, contents: contents) }
        for grant in grants { PostgresGrant(grant: grant, contents: contents) }
    }
}
