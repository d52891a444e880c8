import Testing

/// What a refused run must leave as it was.
extension TestLab {
    /// Expects that something changes neither data nor settings, units, packages nor addresses of hosts, nor keys of etcd.
    ///
    /// - Parameter speaker: a member of etcd.
    func untouched(
        _ hosts: [String], etcd speaker: String = "pg1", sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws {
        let before = try await digest(of: hosts, etcd: speaker)
        try await body()
        let after = try await digest(of: hosts, etcd: speaker)
        #expect(after == before, sourceLocation: sourceLocation)
    }

    /// The names of all keys, and the values of those that do not change all the time.
    private static let keys = """
        export \(etcdctlEnvironment)
        etcdctl get --prefix --keys-only ''
        for key in initialize config; do etcdctl get "/service/lab/$key"; done
        """

    /// A database that runs writes to its files all the time: of that its identity counts, of any other each byte.
    private static let state = """
        base=/var/lib/postgresql
        find /etc -type f -exec sha256sum {} + | sort | sha256sum
        dpkg-query -W | sha256sum
        ls -A $base $base/15 $base/15/main /srv /var/lib/etcd /var/lib/pgbackrest* 2>/dev/null
        if pgrep -x postgres >/dev/null; then
            /usr/lib/postgresql/15/bin/pg_controldata $base/15/main | grep -E 'identifier|TimeLineID'
        elif [ -d $base ]; then
            find $base /srv -type f -exec sha256sum {} + | sort | sha256sum
        fi
        for unit in etcd patroni pgbouncer haproxy keepalived; do
            systemctl show -p ActiveState,UnitFileState,ExecMainStartTimestampMonotonic $unit
        done
        ip -4 -oneline address show
        """

    func digest(of hosts: [String], etcd speaker: String = "pg1") async throws -> [String] {
        var lines = try await must(on: speaker, Self.keys).linesOfOutput
        for host in hosts { lines += try await must(on: host, Self.state).linesOfOutput.map { "\(host) \($0)" } }
        return lines
    }
}
