import Engine
import Secrets
import SystemResources

/// Ensures that the last checkpoint is not old, so that the one with which PostgreSQL stops has little to write.
struct FreshCheckpoint: Resource {
    let catalog: PostgresCatalog
    /// After it nothing is stopped any more.
    let isDone: HandoverSign

    var name: String { "recent checkpoint" }

    var questions: [any Fact] { [isRecent] + isDone.questions }

    private var isRecent: CommandSuccess {
        let ask = catalog.script(
            running:
                "SELECT 'recent' FROM pg_control_checkpoint() WHERE checkpoint_time > now() - interval '10 seconds';")
        return CommandSuccess("{ \(ask)} | grep -q recent")
    }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[isRecent] || isDone.isSeen(in: facts) { return [] }
        return [Change("make a checkpoint", script: catalog.script(running: "CHECKPOINT;"))]
    }

    /// It is made when it is necessary by then.
    func essence(given facts: Facts) throws -> String { "\(try isDone.isSeen(in: facts))" }
}
