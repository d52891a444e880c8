import Foundation
import Subprocess
import Testing

/// Runs whose controller is killed.
extension TestLab {
    /// The command that runs the program under test itself, without a shell between, where the hosts are reached.
    func command(_ words: [String]) -> [String] { inside(Drover.program) + words }

    /// Kills a run when one of its plays begins.
    func kill(_ words: [String], at play: String) async throws {
        let killed = try await killedRun(words) { $0.event == "playBegan" && $0.play == play }
        #expect(killed.status == 137, "\(play): \(killed.everything)")
    }

    /// Kills a run when one of its steps is done.
    func kill(_ words: [String], after step: String) async throws {
        let killed = try await killedRun(words) { $0.event == "stepEnded" && $0.step?.summary == step }
        #expect(killed.status == 137, "\(step): \(killed.everything)")
    }

    /// Applies a playbook until it comes to its end: each run is killed when a play begins at which none was killed before.
    /// Together they do little more than the work of one.
    ///
    /// - Parameter words: the playbook, its options and what approves it.
    /// - Returns: the plays at which runs were killed.
    func applyKilledAtEachPlay(_ words: [String]) async throws -> [String] {
        var plays: [String] = []
        while true {
            let run = try await killedRun(["apply"] + words) { event in
                guard event.event == "playBegan", let play = event.play, !plays.contains(play) else { return false }
                plays.append(play)
                return true
            }
            if run.status == 137 { continue }
            try #require(run.status == 0, "after \(plays): \(run.everything)")
            return plays
        }
    }

    /// - Parameter isTheEnd: whether the run is killed when this has just happened.
    private func killedRun(_ words: [String], at isTheEnd: (Event) -> Bool) async throws -> Command {
        var isKilled = false
        return try await RunningProgram.run(command(words + ["--json", "--wait"])) { line, program in
            guard !isKilled, let event = try? JSONDecoder().decode(Event.self, from: Data(line.utf8)),
                isTheEnd(event)
            else { return }
            isKilled = true
            try program.send(.kill)
        }
    }

    private struct Event: Decodable {
        struct Step: Decodable {
            let summary: String
        }

        let event: String
        let play: String?
        let step: Step?
    }
}
