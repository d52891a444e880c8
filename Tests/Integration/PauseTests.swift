import Foundation
import Testing

extension LabSnapshot {
    /// A cluster in synchronous mode with the usual timers: `ttl` is 30 s. pg3 never leads.
    fileprivate static let pausable = LabSnapshot(
        "pausable",
        edits: [
            (
                "    cluster_vip:",
                """
                    synchronous_mode: true
                    patroni_maximum_lag_on_failover: 104857600
                    cluster_vip:
                """
            ), ("pg3: { ansible_host", "pg3: { patroni_tags: 'nofailover=true,nosync=true', ansible_host"),
        ])
}

/// A leader that is paused: its Patroni alone, by a signal, or its whole host, like a virtual machine during a snapshot or a
/// migration.
@Suite("Paused leader", .lab(from: .pausable))
struct PauseTests: FailoverClient {
    /// Seconds for which a leader that runs again may still accept writes, until its fence stops it.
    private let bound = 3.0

    struct Pause: CustomTestStringConvertible, Sendable {
        enum Subject: String, CaseIterable { case patroni, host }

        var subject: Subject
        var seconds: Int

        var testDescription: String { "\(subject.rawValue) for \(seconds) s" }

        /// All pauses of a release test if `DROVER_PAUSES=all`, otherwise `some`: those for which `make test` has the time.
        static func some(_ some: [Pause]) -> [Pause] {
            guard ProcessInfo.processInfo.environment["DROVER_PAUSES"] == "all" else { return some }
            return Subject.allCases.flatMap { subject in
                [20, 31, 45, 120].map { Pause(subject: subject, seconds: $0) }
            }
        }
    }

    @Test(
        "in synchronous mode, no acknowledged row is lost",
        arguments: Pause.some([.init(subject: .patroni, seconds: 45), .init(subject: .host, seconds: 45)]))
    func synchronous(_ pause: Pause) async throws {
        try await startClient()
        try await sleep(pause)
        try await expectEveryRow()
        expectNothingChanged(try await lab.apply())
    }

    @Test(
        "in asynchronous mode, no row is lost that a new leader has acknowledged",
        arguments: Pause.some([.init(subject: .patroni, seconds: 31), .init(subject: .host, seconds: 45)]))
    func asynchronous(_ pause: Pause) async throws {
        let inventory = try lab.inventory(replacing: [("synchronous_mode: true", "synchronous_mode: false")])
        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        try await startClient()
        let before = try await sleep(pause, asynchronous: inventory)
        let rows = try await self.rows()
        // Rows of the former leader may be lost, but none after the first one that a new leader has acknowledged.
        let first = rows.first { $0.timeline > before }?.number ?? 0
        let missing = try await missingRows().filter { $0 >= first }
        if !missing.isEmpty { Issue.record("rows from \(first) on are lost: \(missing)\n\(try await account())") }
        expectNothingChanged(try await lab.apply(inventory))
    }

    /// Pauses the leader while clients write, and waits until they write again and the cluster is whole.
    ///
    /// - Parameter asynchronous: The inventory of a cluster that is not in synchronous mode.
    /// - Returns: The timeline before the pause.
    @discardableResult
    private func sleep(_ pause: Pause, asynchronous: String? = nil) async throws -> Int {
        try await settled(asynchronous)
        let leader = try await self.leader()
        try await writeAlone(on: leader)
        let before = try #require(try await rows().last).timeline
        try await lab.must(on: "pg3", "echo 2 >/tmp/patience")
        let patroni = "$(systemctl show -P MainPID patroni)"
        switch pause.subject {
        case .patroni: try await lab.must(on: leader, "kill -STOP \(patroni)")
        case .host: try await lab.fault("pause", leader)
        }
        try await Task.sleep(for: .seconds(pause.seconds))
        let end = Date().timeIntervalSince1970
        switch pause.subject {
        case .patroni: try await lab.must(on: leader, "kill -CONT \(patroni)")
        case .host: try await lab.fault("resume", leader)
        }
        try await writesAgain(after: try await acknowledged())
        try await settled(asynchronous)
        let last = try await lastAlone(on: leader, upTo: before)
        if let first = try await rows().first(where: { $0.timeline > before }) {
            switch pause.subject {
            case .patroni: #expect(last < first.time, "the former leader stops before the new one begins")
            case .host: #expect(last < max(first.time, end + bound), "the fence acts when the host runs again")
            }
            report("\(pause): the former leader wrote after the new one for", .seconds(max(0, last - first.time)))
            report("\(pause): and after the end of the pause for", .seconds(max(0, last - end)))
        }
        return before
    }

    /// The acknowledged rows, in their order.
    private func rows() async throws -> [(number: Int, time: Double, timeline: Int)] {
        try await lab.must(on: "pg3", "paste -d ' ' /tmp/acknowledged /tmp/times").linesOfOutput.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3, let number = Int(words[0]), let time = Double(words[1]),
                let timeline = Int(words[2], radix: 16)
            else { return nil }
            return (number, time, timeline)
        }
    }
}
