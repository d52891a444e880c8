import Engine
import Secrets
import SystemResources

/// A step of a recovery by a script of its own: done when the host's marker says so.
struct MarkedStep: Resource {
    let name: String
    let marker: RecoveryMarker
    /// What is done, as an order.
    let summary: String
    let script: ShellText
    let isDone: @Sendable (RecoveryMarker.Answer) -> Bool

    /// - Parameters:
    ///   - script: runs where `mark`, `unmark` and `say` are defined.
    init(
        _ summary: String, _ marker: RecoveryMarker, script: ShellText,
        isDone: @escaping @Sendable (RecoveryMarker.Answer) -> Bool
    ) {
        name = "recovery step \(summary)"
        self.summary = summary
        self.marker = marker
        self.script = "\(marker.definition)\n\(ShellText.say)\n\(script)"
        self.isDone = isDone
    }

    var questions: [any Fact] { [marker] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try isDone(facts[marker]) ? [] : change
    }

    /// What is done when it is not.
    var change: [Change] { [Change(summary, script: script, isDisturbing: true)] }

    func essence(given facts: Facts) throws -> String { "\(try isDone(facts[marker]))" }
}

/// Several resources that are one step of a recovery. What they need can be told only when the steps before are done;
/// until then the step is announced.
struct Together: Resource {
    let summary: String
    let isAhead: Bool
    let parts: [any Resource]

    init(_ summary: String, isAhead: Bool, parts: [any Resource]) {
        self.summary = summary
        self.isAhead = isAhead
        self.parts = parts
    }

    var name: String { "recovery step \(summary)" }

    var questions: [any Fact] { parts.flatMap(\.questions) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard !isAhead else {
            return [Change(summary, script: "echo 'the steps before this one were not done'\nexit 1")]
        }
        var (script, pending) = (ShellText(), pending)
        var all: [Change] = []
        for part in parts {
            let changes = try part.changes(given: facts, after: pending)
            pending.add(changes)
            all += changes
            for change in changes { script += "( set -e\n\(change.script)\n)\n" }
        }
        if all.isEmpty { return [] }
        var step = Change(summary, script: script, effects: all.flatMap(\.effects), isDisturbing: true)
        if all.allSatisfy(\.isWaiting) { step.kind = .wait }
        return [step]
    }

    func essence(given facts: Facts) -> String { "\(isAhead)" }
}

/// Ensures that the server that recovers stands at the target, also after its host was started anew.
struct Recovering: Resource {
    let intent: RecoveryIntent
    let marker: RecoveryMarker
    let step: MarkedStep

    init(intent: RecoveryIntent, marker: RecoveryMarker, script: ShellText) {
        self.intent = intent
        self.marker = marker
        step = MarkedStep("recover to \(intent.target.words), and stay there", marker, script: script) {
            $0["promoting"] != nil || $0["reached"] == intent.target.text
        }
    }

    var name: String { step.name }

    private var server: UnitStatus { UnitStatus("drover-recovery.service") }

    var questions: [any Fact] { step.questions + [server] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let changes = try step.changes(given: facts, after: pending)
        let isGone = try facts[marker]["promoting"] == nil && facts[server].active != "active"
        return changes.isEmpty && isGone ? step.change : changes
    }

    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: .init()).isEmpty)" }
}
