public import Drover

extension Cluster {
    /// What the leader's catalogue must have: the cluster's own roles, the pooler's lookup, and the roles and databases
    /// of the inventory.
    @ResourceBuilder
    public var rolesAndDatabases: [any Resource] {
        for login in [configuration.patroni.superuser, configuration.patroni.replication, configuration.pooler.login] {
            PostgresRole(role: login.name, password: login.password, flags: nil, catalog: catalog)
        }
        for role in configuration.users {
            PostgresRole(role: role.name, password: role.password, flags: role.flags, catalog: catalog)
        }
        for database in configuration.databases {
            PostgresDatabase(database: database, catalog: catalog)
        }
        for database in databasesWithLookup {
            PoolerLookup(database: database, login: configuration.pooler.login.name, catalog: catalog)
        }
    }
}
