import Foundation
import Testing

/// A leader that sleeps: its Patroni alone, which is stopped by a signal, or all of its host, as a machine that is paused for
/// a snapshot or a migration.
@Suite("Paused leader", .serialized, .lab(of: 3, isPrepared: true))
struct PauseTests: FailoverClient {
    let ttl = 30
    let loopWait = 10
    /// Seconds for which a leader that runs again may still accept writes, until its fence stops it.
    private let bound = 3.0

    struct Pause: CustomTestStringConvertible, Sendable {
        enum Subject: String, CaseIterable { case patroni, host }

        var subject: Subject
        var seconds: Int

        var testDescription: String { "\(subject.rawValue) for \(seconds) s" }

        /// All that a release is tried with; otherwise those that `make test` has the time for.
        static func some(_ some: [Pause]) -> [Pause] {
            guard ProcessInfo.processInfo.environment["DROVER_PAUSES"] == "all" else { return some }
            return Subject.allCases.flatMap { subject in
                [20, 31, 45, 120].map { Pause(subject: subject, seconds: $0) }
            }
        }
    }

    func inventory() throws -> String { try inventory(isSynchronous: true) }

    private func inventory(isSynchronous: Bool) throws -> String {
        let text = try String(contentsOfFile: lab.inventory, encoding: .utf8)
            .replacing(
                "    cluster_vip:",
                with:
                    "    synchronous_mode: \(isSynchronous)\n    patroni_maximum_lag_on_failover: 104857600\n    cluster_vip:"
            )
            .replacing(
                "pg3: { ansible_host", with: "pg3: { patroni_tags: 'nofailover=true,nosync=true', ansible_host")
        let path = "\(lab.folder)/\(isSynchronous ? "synchronous" : "asynchronous").yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("a cluster in synchronous mode is deployed, and a client begins to write")
    func deploy() async throws {
        let result = try await lab.apply(try inventory())
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await lab.apply(try inventory()))
        try await startClient()
    }

    @Test(
        "in synchronous mode, no acknowledged row is lost",
        arguments: Pause.some([.init(subject: .patroni, seconds: 45), .init(subject: .host, seconds: 45)]))
    func synchronous(_ pause: Pause) async throws {
        try await sleep(pause)
        try await expectEveryRow()
    }

    @Test("the cluster becomes asynchronous")
    func becomesAsynchronous() async throws {
        let result = try await lab.apply(try inventory(isSynchronous: false))
        try #require(result.status == 0, "\(result.everything)")
    }

    @Test(
        "in asynchronous mode, no row is lost that a new leader has acknowledged",
        arguments: Pause.some([.init(subject: .patroni, seconds: 31), .init(subject: .host, seconds: 45)]))
    func asynchronous(_ pause: Pause) async throws {
        let before = try await sleep(pause, isSynchronous: false)
        let rows = try await self.rows()
        // A row of the former leader may be lost, but none after the first one that a new leader has acknowledged.
        let first = rows.first { $0.timeline > before }?.number ?? 0
        let missing = try await missingRows().filter { $0 >= first }
        if missing.isEmpty { return }
        Issue.record("rows from \(first) on are lost: \(missing)\n\(try await account())")
    }

    @Test("afterwards an apply changes nothing")
    func afterwards() async throws {
        let inventory = try inventory(isSynchronous: false)
        try await settled(inventory)
        expectNothingChanged(try await lab.apply(inventory))
        try await lab.must(on: "pg3", "touch /tmp/stop; while systemctl is-active --quiet client; do sleep 0.1; done")
    }

    /// Pauses the leader while clients write, and waits until they do so again and the cluster is whole.
    ///
    /// - Returns: the timeline before the pause.
    @discardableResult
    private func sleep(_ pause: Pause, isSynchronous: Bool = true) async throws -> Int {
        try await settled(isSynchronous ? nil : inventory(isSynchronous: false))
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
        try await settled(isSynchronous ? nil : inventory(isSynchronous: false))
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

    /// The rows that a client was told of, in their order.
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
