import Testing

@testable import PostgresCluster

@Suite("Who may become a member")
struct AdmissionTests {
    private static func admission(_ change: (inout Parts) -> Void = { _ in }) -> Admission {
        var parts = Parts()
        change(&parts)
        return Admission(
            name: "pg4", address: "10.0.0.4", membership: Membership(members: parts.members), leader: parts.leader,
            leaderHost: parts.leaderHost, host: parts.host, locales: parts.locales)
    }

    /// What is found when nothing stands in the way.
    private struct Parts {
        var members = [MembershipTests.member("pg1", "leader"), MembershipTests.member("pg2")]
        var leader = LeaderCapacity.Answer(
            senderLimit: 10, slotLimit: 10, streaming: ["pg2"], senders: 1, slots: ["pg2"], size: 1_048_576_000,
            version: "15.14", locales: ["C", "C.UTF-8", "de_DE.UTF-8"])
        var leaderHost = HostFitness.Answer(library: "glibc 2.36")
        var host = HostFitness.Answer(
            library: "glibc 2.36", free: 1_153_433_600, version: "15.14-0+deb12u1")
        var locales: Set = ["C.utf8", "de_DE.utf8", "POSIX"]
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var change: @Sendable (inout Parts) -> Void
        var obstacles: [String]
        var testDescription: String { what }
    }

    private static let rows: [Row] = [
        Row(what: "all is well", change: { _ in }, obstacles: []),
        Row(what: "a later minor version", change: { $0.host.version = "15.20-1" }, obstacles: []),
        Row(what: "no package is known yet", change: { $0.host.version = nil }, obstacles: []),
        Row(
            what: "its slot is there already",
            change: {
                $0.leader.slots = ["pg2", "pg4"]; $0.leader.slotLimit = 3
            }, obstacles: []),
        Row(
            what: "an older minor version", change: { $0.host.version = "15.9-0+deb12u1" },
            obstacles: [
                "pg4 would run PostgreSQL 15.9-0+deb12u1, the leader runs 15.14: a replica has the same major version and no "
                    + "older minor one; update its package lists"
            ]),
        Row(
            what: "another major version", change: { $0.host.version = "16.1-1" },
            obstacles: [
                "pg4 would run PostgreSQL 16.1-1, the leader runs 15.14: a replica has the same major version and no older "
                    + "minor one; update its package lists"
            ]),
        Row(
            what: "another C library", change: { $0.host.library = "glibc 2.41" },
            obstacles: [
                "pg4 has glibc 2.41, the leader glibc 2.36: another C library may sort texts otherwise, and indexes would be "
                    + "wrong there; bring both hosts to the same release"
            ]),
        Row(
            what: "no such locale", change: { $0.locales = ["C.utf8"] },
            obstacles: [
                "pg4 lacks the locale de_DE.UTF-8 of the leader's databases: generate it there with `locale-gen`"
            ]),
        Row(
            what: "no sender is left", change: { $0.leader.senderLimit = 2 },
            obstacles: [
                "cloning needs 3 senders of the log in all, and max_wal_senders is 2: set it to 3 or more in "
                    + "postgresql_parameters, apply deploy-cluster, and restart the members"
            ]),
        Row(
            what: "no slot is left", change: { $0.leader.slotLimit = 2 },
            obstacles: [
                "cloning needs 3 replication slots in all, and max_replication_slots is 2: set it to 3 or more in "
                    + "postgresql_parameters, apply deploy-cluster, and restart the members"
            ]),
        Row(
            what: "a small disk", change: { $0.host.free = 1_153_433_599 },
            obstacles: [
                "pg4 has 1099 MB free for the data directory, and a tenth more than the leader's data is 1100 MB: give it a "
                    + "larger disk"
            ]),
        Row(
            what: "a member of that name",
            change: { $0.members.append(MembershipTests.member("pg4", state: "stopped", address: "10.0.0.99")) },
            obstacles: [
                "the cluster already has a member pg4 at 10.0.0.99, which is stopped: choose another name, or wait until the "
                    + "cluster has forgotten it"
            ]),
        Row(
            what: "itself, which has lost its data",
            change: { $0.members.append(MembershipTests.member("pg4", state: "stopped", address: "10.0.0.4")) },
            obstacles: []),
    ]

    @Test("each obstacle is told with its remedy", arguments: rows)
    private func obstacles(row: Row) {
        #expect(Self.admission(row.change).obstacles == row.obstacles)
    }

    @Test("all obstacles are told at once")
    func together() {
        let admission = Self.admission { parts in
            parts.host = HostFitness.Answer(library: "musl", free: 0, version: "14.1")
            parts.locales = []
            parts.leader.senderLimit = 1
        }
        #expect(admission.obstacles.count == 5)
    }

    @Test("what the leader tells")
    func capacity() throws {
        let question = LeaderCapacity(server: CatalogTests.catalog)
        let output = """
            question
            limits|10|12
            version|15.14
            size|31457280
            sender|streaming|pg2
            sender|backup|a|b
            slot|pg2
            locale|C.UTF-8

            """
        let answer = try #require(LeaderCapacity.answers(to: [question], from: output)[question])
        #expect(
            answer
                == .init(
                    senderLimit: 10, slotLimit: 12, streaming: ["pg2"], senders: 2, slots: ["pg2"], size: 31_457_280,
                    version: "15.14", locales: ["C.UTF-8"]))
        #expect(try LeaderCapacity.answers(to: [question], from: "question\n")[question] == .init())
        for output in ["", "limits|1|2\n", "question\nwhat\n"] {
            #expect(throws: (any Error).self) { try LeaderCapacity.answers(to: [question], from: output) }
        }
    }

    @Test("what a host tells")
    func fitness() throws {
        let question = HostFitness(directory: "/var/lib/x/y", package: "postgresql-15")
        let output = """
            question
            library glibc 2.36
            free   12345  200
            version (none)
            version 15.14-0+deb12u1
            memory 2048
            files 524288
            initial systemd

            """
        let answer = try #require(HostFitness.answers(to: [question], from: output)[question])
        #expect(
            answer
                == .init(
                    library: "glibc 2.36", free: 12_345, size: 12_545, version: "15.14-0+deb12u1", memory: 2_097_152,
                    openFiles: 524_288, initialProcess: "systemd"))
        #expect(try HostFitness.answers(to: [question], from: "question\nfree\n")[question] == .init())
        for output in ["", "free 1\n", "question\nwhat 1\n"] {
            #expect(throws: (any Error).self) { try HostFitness.answers(to: [question], from: output) }
        }
        #expect(
            HostFitness.essence(of: answer) == "glibc 2.36 15.14-0+deb12u1", "the free space is left out")
    }
}
