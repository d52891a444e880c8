extension Platform {
    static let debian = [debian12, debian13]

    static let debian12 = Platform(debian: 12, postgres: 15)
    static let debian13 = Platform(debian: 13, postgres: 17)

    private init(debian number: Int, postgres version: Int) {
        self.init(
            name: "Debian \(number)", distribution: "debian", version: "\(number)",
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
