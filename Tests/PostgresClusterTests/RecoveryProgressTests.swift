import Engine
import Inventory
import Secrets
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Progress of a recovery")
struct RecoveryProgressTests {
    private static let intent = RecoveryIntent(
        id: "20261122T150405Z", host: "pg2", system: "111", target: RecoveryTarget(.name("n")), backup: "B",
        timelines: [1, 3],
        discards: false, end: LogPosition(bytes: 99), moment: Moment(seconds: 1_795_360_000))

    private static let begun = Dictionary(uniqueKeysWithValues: intent.values.map { ($0.key, $0.value) })

    private func recovery(
        _ request: RecoveryRequest, marks: [String: RecoveryMarker.Answer], backup: String? = nil,
        place: DataPlaces.Place? = nil
    ) throws -> Recovery {
        let cluster = try Sample.cluster(BackupSample.text(), state: .running(leader: nil, withDatabase: ["pg2"])) {
            for (name, mark) in marks {
                guard let host = $1.hosts.first(where: { $0.name == name }) else { continue }
                $0[host].record(mark, to: RecoveryMarker("demo"))
            }
            if let place { $0[$1.members[0].host].record(.init(places: [place]), to: DataPlaces(path: place.path)) }
            if let host = $1.backups?.host { $0[host.host].record(backup, to: ErrandMark(Recovery.errand)) }
        }
        return Recovery(of: cluster, as: request)
    }

    private static func request(
        _ target: RecoveryTarget? = nil, promotes: Bool = false, aborts: Bool = false
    ) -> RecoveryRequest {
        RecoveryRequest(
            target: target, promotes: promotes, aborts: aborts, discards: false, inspection: nil, mark: "now")
    }

    @Test("what is under way is read back from any member, and the one that recovers knows best")
    func underway() throws {
        var other = Self.intent
        other.backup = "A"
        let older = Dictionary(uniqueKeysWithValues: other.values.map { ($0.key, $0.value) })
        let both = try recovery(
            Self.request(), marks: ["pg1": .init(current: older), "pg2": .init(current: Self.begun)])
        #expect(both.underway == Self.intent)
        #expect(both.host.name == "pg2")
        let one = try recovery(Self.request(), marks: ["pg3": .init(current: Self.begun)])
        #expect(one.underway == Self.intent)
        #expect(one.host.name == "pg2")
        #expect(try recovery(Self.request(), marks: [:]).underway == nil)
    }

    @Test("the same target is not recovered to twice")
    func over() throws {
        let marks = ["pg2": RecoveryMarker.Answer(finished: Self.begun)]
        #expect(try recovery(Self.request(RecoveryTarget(.name("n"))), marks: marks).isOver)
        #expect(try recovery(Self.request(promotes: true), marks: marks).isOver)
        #expect(try !recovery(Self.request(RecoveryTarget(.name("m"))), marks: marks).isOver)
        #expect(try recovery(Self.request(aborts: true), marks: [:]).isOver)
    }

    /// By what the member that recovers remembers, its steps that are still to be done.
    private static let phases: [(marks: [String: String], promotes: Bool, steps: [String])] = [
        (
            [:], true,
            [
                "archive what was written up to now",
                "set aside /var/lib/postgresql/15/main as *.removed-20261122T150405Z",
                "restore the backup B", "end the recovery, as the beginning of a new timeline",
                "delete what etcd knows of the old leader", "end the recovery",
            ]
        ),
        (
            ["flushed": "x", "aside": "20261122T150405Z", "restored": "A"], false, ["restore the backup B"]
        ),
        (["flushed": "x", "aside": "20261122T150405Z", "restored": "B"], false, []),
        (
            ["flushed": "x", "aside": "20261122T150405Z", "restored": "B", "promoting": "yes"], true,
            [
                "end the recovery, as the beginning of a new timeline", "delete what etcd knows of the old leader",
                "end the recovery",
            ]
        ),
        (
            ["flushed": "x", "aside": "y", "promoting": "yes", "promoted": "4", "forgotten": "yes"], true,
            ["end the recovery"]
        ),
    ]

    @Test("a run goes on where the last one ended", arguments: phases.indices)
    func phase(index: Int) throws {
        let row = Self.phases[index]
        let mark = RecoveryMarker.Answer(current: Self.begun.merging(row.marks) { $1 })
        let recovery = try recovery(Self.request(promotes: row.promotes), marks: ["pg2": mark])
        var facts = Facts()
        facts.record(mark, to: RecoveryMarker("demo"))
        var steps: [String] = []
        for play in recovery.plays() {
            for host in play.hosts where host.name == "pg2" {
                for resource in try play.resources(on: host) {
                    guard let step = (resource as? Declared)?.resource as? MarkedStep ?? resource as? MarkedStep else {
                        continue
                    }
                    steps += try step.changes(given: facts, after: .init()).map(\.summary)
                }
            }
        }
        #expect(steps == row.steps)
    }

    @Test("the archive is left off: no backup, no timers, no replica from a backup of the history that was left")
    func archivingOff() throws {
        let mark = RecoveryMarker.Answer(current: Self.begun.merging(["promoting": "yes"]) { $1 })
        for leavesOff in [true, false] {
            var request = Self.request(promotes: true)
            request.leavesArchivingOff = leavesOff
            let recovery = try recovery(request, marks: ["pg2": mark])
            let summaries = try recovery.backup.flatMap { resource in
                var facts = Facts()
                facts.record(nil, to: ErrandMark(Recovery.errand))
                return try resource.changes(given: facts, after: .init()).map(\.summary)
            }
            #expect(
                summaries == [
                    leavesOff
                        ? "leave the archive off, and make no backup" : "check the archive, and make a full backup"
                ])
            let timers = try #require(recovery.plays().first { $0.name == "Let timers make backups" })
            #expect(timers.hosts.isEmpty == leavesOff)
            let host = recovery.configuration.members[0].host
            let file = try GoldenTests.content(
                of: "/etc/patroni/config.yml", in: try recovery.cluster.patroni(on: host))
            #expect(file.contains("archive_command: ''") == leavesOff, "\(file)")
            #expect(file.contains("archive-push") != leavesOff)
            #expect(file.contains("- pgbackrest") != leavesOff, "\(file)")
        }
    }

    @Test("a run finds its place in the plays, however far it is")
    func places() throws {
        let all = [[:], ["promoting": "yes"], ["promoting": "yes", "forgotten": "yes"]].map {
            RecoveryMarker.Answer(current: Self.begun.merging($0) { $1 })
        }
        let names = try (all + [.init(finished: Self.begun)]).map {
            try recovery(Self.request(promotes: true), marks: ["pg2": $0]).plays().map(\.name)
        }
        #expect(Set(names).count == 1)
    }

    private static let guards: [(request: RecoveryRequest, marks: [String: String], reason: String)] = [
        (request(RecoveryTarget(.name("n")), promotes: true), ["aborting": "yes"], "is being given up"),
        (request(RecoveryTarget(.name("m")), promotes: true), ["promoting": "yes"], "is final already, and not yet"),
        (request(), ["promoting": "yes"], "is final already"),
        (request(aborts: true), ["promoting": "yes"], "is final: another history has begun"),
        (request(aborts: true), ["discards": "yes", "aside": "x"], "the old data was not kept"),
    ]

    @Test("what cannot be any more is refused", arguments: guards.indices)
    func refused(index: Int) throws {
        let row = Self.guards[index]
        let mark = RecoveryMarker.Answer(current: Self.begun.merging(row.marks) { $1 })
        let refusal = try #require(throws: Refusal.self) {
            try recovery(row.request, marks: ["pg2": mark]).confirmation()
        }
        #expect(refusal.reason.contains(row.reason))
    }

    @Test(
        "what cannot be renamed is no data directory to recover",
        arguments: [
            (DataPlaces.Place(path: "/var/lib/postgresql/15/main"), nil),
            (
                .init(path: "/var/lib/postgresql/15/main", isLink: true),
                "is a symbolic link on pg1, which can be neither"
            ),
            (.init(path: "/var/lib/postgresql/15/main", isMountPoint: true), "is a mount point on pg1, which cannot"),
        ] as [(DataPlaces.Place, String?)])
    func directory(place: DataPlaces.Place, reason: String?) throws {
        let request = Self.request(RecoveryTarget(.latest), promotes: true)
        let refusal = try #require(throws: Refusal.self) {
            try recovery(request, marks: [:], place: place).confirmation()
        }
        #expect(refusal.reason.contains("cannot be renamed") == (reason?.contains("mount") == true))
        #expect(refusal.reason.contains(reason ?? "does not answer"), "\(refusal)")
    }

    @Test("the name and the system identifier approve it; to go back a yes is enough")
    func confirmed() throws {
        let marks = ["pg2": RecoveryMarker.Answer(current: Self.begun)]
        #expect(try recovery(Self.request(promotes: true), marks: marks).confirmation()?.words == "demo@111")
        #expect(try recovery(Self.request(aborts: true), marks: marks).confirmation() == nil)
        #expect(throws: Refusal.self) { try recovery(Self.request(promotes: true), marks: [:]).confirmation() }
    }

    @Test("while a cluster is recovered, nothing else is done to it")
    func others() throws {
        let cluster = try recovery(Self.request(), marks: ["pg3": .init(current: Self.begun)]).cluster
        let refusal = try #require(throws: Refusal.self) { try cluster.refuseUnlessNewOrRunning() }
        #expect(refusal.reason.contains("is being recovered to the restore point 'n'"))
    }

    @Test("several resources are one step, announced until its time has come")
    func together() throws {
        let parts: [any Resource] = [Remark("a"), Errand(errand: "e", mark: "m", summary: "s", script: "true")]
        let ahead = Together("do all", isAhead: true, parts: parts)
        let now = Together("do all", isAhead: false, parts: parts)
        var facts = Facts()
        facts.record(nil, to: ErrandMark("e"))
        #expect(try ahead.changes(given: facts, after: .init()).map(\.summary) == ["do all"])
        let changes = try now.changes(given: facts, after: .init())
        #expect(changes.map(\.summary) == ["do all"])
        #expect(changes[0].script.reveal().contains("true\nmkdir"))
        #expect(!changes[0].isWaiting)
        facts.record("m", to: ErrandMark("e"))
        #expect(try now.changes(given: facts, after: .init()).isEmpty)
        let sign = CommandSuccess("true")
        facts.record(false, to: sign)
        let condition = Condition("it holds", signs: [sign], test: "true", unit: "unit", timeout: 1) { try $0[sign] }
        let rest = try Together("do all", isAhead: false, parts: parts + [condition]).changes(
            given: facts, after: .init())
        #expect(rest.map(\.isWaiting) == [true], "what is left of a step may be to wait")
    }
}
