extension Platform {
    static let debian = [debian12, debian13]

    static let debian12 = Platform(named: "Debian 12", "debian", "12", postgres: 15)
    static let debian13 = Platform(named: "Debian 13", "debian", "13", postgres: 17)

    /// Ubuntu takes the packages of Debian, with their names and paths.
    static let ubuntu = [ubuntu2404]

    static let ubuntu2404 = Platform(named: "Ubuntu 24.04", "ubuntu", "24.04", postgres: 16)

    private init(named name: String, _ distribution: String, _ release: String, postgres version: Int) {
        self.init(
            name: name, distribution: distribution, version: release,
            postgres: Postgres(
                version: version, package: "postgresql-NN", binaryDirectory: "/usr/lib/postgresql/NN/bin",
                dataDirectory: "/var/lib/postgresql/NN/main"),
            // Patroni speaks to etcd with `python3-etcd`, which is only one of several that its package would accept.
            patroni: Component(packages: ["patroni", "python3-etcd"]),
            etcd: Component(packages: ["etcd-server", "etcd-client"]),
            pgbouncer: Component(packages: ["pgbouncer"]), pgbackrest: Component(packages: ["pgbackrest"]),
            haproxy: Component(packages: ["haproxy"]), keepalived: Component(packages: ["keepalived"]))
    }
}
