import ArgumentParser
import Diagnostics
import Engine
import Testing

@testable import PostgresCluster

@Suite("Targets of a recovery")
struct RecoveryTargetTests {
    private static let moments: [(text: String, literal: String)] = [
        ("2026-11-22 15:04:05Z", "2026-11-22 15:04:05.000000+00"),
        ("2026-11-22T15:04:05.25+01:00", "2026-11-22 14:04:05.250000+00"),
        ("2026-11-22 15:04:05.123456 UTC", "2026-11-22 15:04:05.123456+00"),
        ("2026-03-01 00:30 +0100", "2026-02-28 23:30:00.000000+00"),
        ("2024-03-01 00:30+01", "2024-02-29 23:30:00.000000+00"),
        ("2026-12-31 23:30:00-05:30", "2027-01-01 05:00:00.000000+00"),
        ("1970-01-01 00:00:00Z", "1970-01-01 00:00:00.000000+00"),
        ("2000-02-29 12:00:00.5GMT", "2000-02-29 12:00:00.500000+00"),
    ]

    @Test("a moment is read, and told in UTC", arguments: moments.indices)
    func moment(index: Int) throws {
        let row = Self.moments[index]
        #expect(try Moment(row.text).literal == row.literal)
        #expect(try Moment(row.literal) == Moment(row.text))
    }

    @Test(
        "what is no moment is refused",
        arguments: [
            ("2026-11-22 15:04:05", Moment.Fault.zone), ("2026-11-22 15:04", .zone), ("2026-11-22 15:04:05 CET", .zone),
            ("2026-11-22 15:04:05 Europe/Berlin", .zone), ("2026-11-22", .form), ("yesterday", .form),
            ("2026-02-29 10:00:00Z", .form), ("2026-13-01 10:00:00Z", .form), ("2026-11-22 25:00:00Z", .form),
            ("2026-11-22 15:04:05.1234567Z", .zone), ("", .form),
        ])
    func fault(text: String, fault: Moment.Fault) {
        #expect(throws: fault) { try Moment(text) }
    }

    @Test("a moment is short for people")
    func description() throws {
        #expect(try Moment("2026-11-22 15:04:05.250Z").description == "2026-11-22 15:04:05.25 UTC")
        #expect(try Moment("2026-11-22 15:04:05Z").description == "2026-11-22 15:04:05 UTC")
        #expect(try Moment("2026-11-22 15:04:05Z") < Moment("2026-11-22 15:04:05.000001Z"))
    }

    @Test(
        "a position in the log is read", arguments: [("16/B374D848", "16/B374D848"), ("0/0", "0/0"), ("a/ff", "A/FF")])
    func position(text: String, told: String) throws {
        #expect(try #require(LogPosition(text)).description == told)
    }

    @Test("what is no position is none", arguments: ["", "16", "16/", "/1", "1/2/3", "g/1", "123456789/0", "1/-2"])
    func noPosition(text: String) {
        #expect(LogPosition(text) == nil)
    }

    @Test("segments tell their timeline and their end")
    func segment() throws {
        let segment = try #require(LogSegment("0000000A00000002000000FF"))
        #expect(segment.timeline == 10)
        #expect(segment.end(segmentSize: 16_777_216) == LogPosition("3/0"))
        #expect(try #require(LogPosition("2/FFFFFFFF")).place(segmentSize: 16_777_216) == "00000002000000FF")
        #expect(LogSegment("00000002.history") == nil)
    }

    private static let options: [(words: [String], text: String, parameters: [String])] = [
        (
            ["--target-time", "2026-11-22 15:04:05+01"], "time 2026-11-22 14:04:05.000000+00",
            [
                "recovery_target_time=2026-11-22 14:04:05.000000+00", "recovery_target_inclusive=on",
                "recovery_target_action=pause",
            ]
        ),
        (
            ["--target-lsn", "0/5000028", "--exclusive"], "lsn 0/5000028, exclusive",
            ["recovery_target_lsn=0/5000028", "recovery_target_inclusive=off", "recovery_target_action=pause"]
        ),
        (
            ["--target-xid", "742", "--target-timeline", "2"], "xid 742, timeline 2",
            ["recovery_target_xid=742", "recovery_target_inclusive=on", "recovery_target_action=pause"]
        ),
        (
            ["--target-name", "before, exclusive it", "--backup", "20261122-160112F"],
            "name before, exclusive it, backup 20261122-160112F",
            [
                "recovery_target_name=before, exclusive it", "recovery_target_inclusive=on",
                "recovery_target_action=pause",
            ]
        ),
        (
            ["--immediate"], "immediate",
            ["recovery_target=immediate", "recovery_target_inclusive=on", "recovery_target_action=pause"]
        ),
        (["--latest", "--target-timeline", "1"], "latest, timeline 1", []),
    ]

    @Test("options say where it ends; a host remembers it", arguments: options.indices)
    func option(index: Int) throws {
        let row = Self.options[index]
        let target = try #require(try RecoveryOptions.parse(row.words).target())
        #expect(target.text == row.text)
        #expect(target.parameters.map { "\($0.name)=\($0.value)" } == row.parameters)
        #expect(RecoveryTarget(text: target.text) == target)
    }

    @Test("no option is no target")
    func none() throws {
        #expect(try RecoveryOptions.parse([]).target() == nil)
    }

    @Test(
        "options that contradict each other, or say nothing, are wrong",
        arguments: [
            ["--immediate", "--latest"], ["--target-lsn", "x"], ["--target-xid", "0"], ["--target-xid", "2"],
            ["--target-name", ""], ["--immediate", "--exclusive"], ["--target-name", "a", "--exclusive"],
            ["--latest", "--target-timeline", "0"], ["--target-timeline", "2"], ["--backup", "x"],
            ["--target-time", "noon"], ["--target-lsn", "0/1", "--target-xid", "7"], ["--exclusive"],
        ])
    func wrong(words: [String]) {
        #expect(throws: Diagnostics.self) { try RecoveryOptions.parse(words).target() }
    }

    @Test("a time without a zone is refused, with what to write")
    func zone() throws {
        let refusal = try #require(throws: Refusal.self) {
            try RecoveryOptions.parse(["--target-time", "2026-11-22 15:04:05"]).target()
        }
        #expect(refusal.reason.contains("does not say in which zone"))
        #expect(refusal.remedies.joined().contains("+01:00"))
    }

    private static func time(_ second: Int, exclusive: Bool = false) -> RecoveryTarget {
        RecoveryTarget(.time(Moment(seconds: second)), isExclusive: exclusive)
    }

    private static let ways: [(from: RecoveryTarget, to: RecoveryTarget, isForward: Bool)] = [
        (time(5), time(6), true), (time(6), time(5), false), (time(5), time(5), false),
        (time(5, exclusive: true), time(5), true), (time(5), RecoveryTarget(.latest), true),
        (time(5), RecoveryTarget(.time(Moment(seconds: 6)), timeline: 1), false),
        (time(5), RecoveryTarget(.time(Moment(seconds: 6)), backup: "b"), false),
        (RecoveryTarget(.immediate), time(5), true), (time(5), RecoveryTarget(.transaction(9)), false),
        (RecoveryTarget(.position(LogPosition(bytes: 1))), RecoveryTarget(.position(LogPosition(bytes: 2))), true),
    ]

    @Test("a later target is reached by going on", arguments: ways.indices)
    func forward(index: Int) {
        let way = Self.ways[index]
        #expect(way.to.isForward(of: way.from) == way.isForward)
    }
}
