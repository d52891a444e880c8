import Testing

@testable import PostgresCluster

@Suite("Cluster state")
struct ClusterStateTests {
    private struct Row: Sendable {
        var what: String
        /// What stands in the data directories of pg1, pg2 …
        var directories: [PostgresDirectory.Answer]
        /// The answer of etcd: nil is none, an empty text is "no such key".
        var store: String?
        var served: Set<String> = []
        var leader: String?
        var standAlone: String?
        var expected: ClusterState
    }

    private static let one = PostgresDirectory.Answer.initialised(systemIdentifier: "111")
    private static let two = PostgresDirectory.Answer.initialised(systemIdentifier: "222")

    private static let rows: [Row] = [
        Row(what: "empty hosts", directories: [.empty, .empty], expected: .new),
        Row(what: "empty hosts, etcd runs", directories: [.empty, .empty], store: "", expected: .new),
        Row(
            what: "all well", directories: [one, one], store: "111", served: ["pg1", "pg2"], leader: "pg2",
            expected: .running(leader: "pg2", withDatabase: ["pg1", "pg2"])),
        Row(
            what: "a member was added", directories: [one, .empty], store: "111", served: ["pg1"], leader: "pg1",
            expected: .running(leader: "pg1", withDatabase: ["pg1"])),
        Row(
            what: "the first member is the new one", directories: [.empty, one], store: "111", leader: "pg2",
            expected: .running(leader: "pg2", withDatabase: ["pg2"])),
        Row(
            what: "Patroni stopped everywhere", directories: [one, one], store: "111",
            expected: .running(leader: nil, withDatabase: ["pg1", "pg2"])),
        Row(
            what: "etcd is down", directories: [one, one], served: ["pg1", "pg2"],
            expected: .running(leader: nil, withDatabase: ["pg1", "pg2"])),
        Row(
            what: "everything is down", directories: [one, one],
            expected: .running(leader: nil, withDatabase: ["pg1", "pg2"])),
        Row(
            what: "bootstrapping: the key is not there yet", directories: [one, .empty], store: "", served: ["pg1"],
            expected: .running(leader: nil, withDatabase: ["pg1"])),
        Row(
            what: "etcd lost its data", directories: [one, one], store: "",
            expected: .partial("pg1 has a database, but etcd does not know the cluster")),
        Row(
            what: "a server that is to become the leader", directories: [one, .empty], store: "", standAlone: "pg1",
            expected: .running(leader: nil, withDatabase: ["pg1"])),
        Row(
            what: "a server that is to become the leader, and another one of the same origin", directories: [one, one],
            store: "", standAlone: "pg1",
            expected: .partial("pg1 has a database, but etcd does not know the cluster")),
        Row(
            what: "a database of another origin", directories: [.empty, one], store: "",
            expected: .partial("pg2 has a database, but etcd does not know the cluster")),
        Row(
            what: "the databases are gone", directories: [.empty, .empty], store: "111",
            expected: .partial("etcd knows this cluster (system identifier 111), but no member has a database")),
        Row(
            what: "another cluster of that name in etcd", directories: [one, one], store: "222",
            expected: .foreign(
                "the database of pg1 has the system identifier 111, but etcd knows the cluster by 222")),
        Row(
            what: "two clusters", directories: [one, two], store: "111",
            expected: .foreign(
                "the databases of pg1 and pg2 are not of one cluster: their system identifiers are 111 and 222")),
        Row(
            what: "two clusters, etcd is down", directories: [.empty, one, two],
            expected: .foreign(
                "the databases of pg2 and pg3 are not of one cluster: their system identifiers are 111 and 222")),
        Row(
            what: "files of something else", directories: [one, .unreadable], store: "111", served: ["pg1"],
            leader: "pg1",
            expected: .foreign("the data directory of pg2 holds something that is no database system")),
        Row(
            what: "a replica that Patroni is cloning", directories: [one, .unreadable], store: "111",
            served: ["pg1", "pg2"], leader: "pg1", expected: .running(leader: "pg1", withDatabase: ["pg1"])),
    ]

    @Test("is decided from what was found", arguments: rows)
    private func decides(row: Row) {
        let directories = row.directories.enumerated().map { (member: "pg\($0 + 1)", found: $1) }
        let store = row.store.map { ClusterState.Findings.Store(systemIdentifier: $0.isEmpty ? nil : $0) }
        let findings = ClusterState.Findings(
            directories: directories, store: store, served: row.served, leader: row.leader,
            standAlone: row.standAlone)
        #expect(ClusterState(findings) == row.expected, "\(row.what)")
    }
}
