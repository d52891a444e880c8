/// Lets one at a time do what takes several steps, in the order in which they came.
///
/// Used in one isolation only.
final class Turns {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take(isolation: isolated (any Actor)? = #isolation) async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation(isolation: isolation) { waiting.append($0) }
    }

    /// Gives the turn to the next, if anybody waits.
    func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
