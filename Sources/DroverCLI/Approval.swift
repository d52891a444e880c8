import Diagnostics
import Engine

/// What is still needed before a plan is carried out.
enum Approval: Hashable {
    /// Nothing: the command line has said it.
    case given
    /// A yes.
    case yes
    /// The name of what is destroyed, typed.
    case name(String)

    /// - Parameters:
    ///   - confirmation: what the plan wants to be said; nil when a yes is enough.
    ///   - yes: whether the command line says yes.
    ///   - words: what the command line names to be destroyed.
    ///   - isInteractive: whether there is somebody to ask.
    /// - Throws: `Refusal` when that cannot approve the plan.
    init(for confirmation: Confirmation?, yes: Bool, words: String?, isInteractive: Bool) throws {
        switch (confirmation, words) {
        case (nil, _) where yes: self = .given
        case (nil, _) where isInteractive: self = .yes
        case (nil, _):
            throw Refusal("the plan destroys nothing that could be confirmed", remedies: ["add --yes"])
        case (let confirmation?, let words?):
            guard confirmation.accepts(words) else {
                throw Refusal(
                    "'\(words)' is not what the plan destroys",
                    remedies: ["if '\(confirmation.name)' is to go, write --confirm \(confirmation.words)"])
            }
            self = .given
        case (let confirmation?, nil) where isInteractive && !yes: self = .name(confirmation.name)
        case (let confirmation?, nil):
            throw Refusal(
                "the plan destroys '\(confirmation.name)', for which --yes is not enough",
                remedies: ["if that is to go, write --confirm \(confirmation.words)"])
        }
    }

    /// Asks what is still needed.
    ///
    /// - Returns: whether the plan may be carried out.
    /// - Throws: `Refusal` when another name was typed.
    func ask(about plan: Engine.Plan) async throws -> Bool {
        let what = "Apply \(Text.count(plan.stepCount, "change"))?"
        switch self {
        case .given: return true
        case .yes: return ["y", "yes"].contains(await Terminal.ask("\(what) [y/N] ")?.lowercased())
        case .name(let name):
            guard let answer = await Terminal.ask("\(what) Type '\(name)' to destroy it: "), !answer.isEmpty else {
                return false
            }
            guard answer == name else {
                throw Refusal("'\(answer)' is not what the plan destroys; nothing was changed", remedies: [])
            }
            return true
        }
    }
}
