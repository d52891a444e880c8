import Diagnostics
import Engine

/// What runs have done, as people read it.
struct RunsText {
    let journals: [(host: String, journal: Journal)]
    /// The hosts that gave no answer.
    var unreached: [String] = []
    let style: Style

    /// One line a run, the newest first.
    var list: [String] {
        let ids = Set(journals.map(\.journal.run.id)).sorted(by: >)
        guard !ids.isEmpty else {
            return unreached.isEmpty
                ? ["No run has changed these hosts."]
                : ["The hosts that answered list no run; \(unreached.joined(separator: ", ")) did not answer."]
        }
        let rows = ids.map { id in
            let parts = journals.filter { $0.journal.run.id == id }
            let run = parts[0].journal.run
            let steps = parts.map(\.journal.steps.count).reduce(0, +)
            return [
                id, run.command, run.person, Text.count(steps, "step"), outcome(of: parts.map(\.journal)),
                parts.map(\.host).joined(separator: " "),
            ]
        }
        return Text.table([["RUN", "PLAYBOOK", "BY", "STEPS", "OUTCOME", "HOSTS"]] + rows)
    }

    /// The steps of one run, by host.
    ///
    /// - Throws: `Diagnostic` when no host knows the run.
    func steps(of id: String) throws -> [String] {
        let parts = journals.filter { $0.journal.run.id == id }
        guard !parts.isEmpty else {
            let known = Set(journals.map(\.journal.run.id)).sorted(by: >)
            throw Diagnostic(
                "none of the hosts knows the run '\(id)'",
                remedy: Suggestion.remedy(for: id, among: known) ?? "'drover runs' lists those that they know")
        }
        return parts.flatMap { host, journal in
            [style.bold(host)] + journal.steps.map { "  \(sign(of: $0)) \($0.summary)\(remark(on: $0))" }
        }
    }

    private func outcome(of journals: [Journal]) -> String {
        let steps = journals.flatMap(\.steps)
        if steps.contains(where: { $0.status == nil }) { return "interrupted" }
        return steps.contains { $0.status != 0 } ? "failed" : "done"
    }

    private func sign(of step: Journal.Step) -> String {
        step.status == 0 ? style.green("✓") : style.red("✗")
    }

    private func remark(on step: Journal.Step) -> String {
        guard let status = step.status, let seconds = step.seconds else { return "  did not come to its end" }
        if status != 0 { return "  exit status \(status)" }
        return seconds < 0.5 ? "" : style.faint("  \(Text.seconds(seconds))")
    }
}
