/// The places for labs that run at the same time. A test takes one, in the order of arrival, or all of them; the latter wait
/// until no test waits for one, so that no place stays unused before.
actor Seats {
    let count: Int
    private var free: Int
    private var taken = 0
    private var ones: [CheckedContinuation<Void, Never>] = []
    private var alls: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        self.count = count
        free = count
    }

    /// Waits for one place, or for all.
    ///
    /// - Returns: how often places were taken so far.
    func take(all: Bool) async -> Int {
        await withCheckedContinuation { test in
            if all { alls.append(test) } else { ones.append(test) }
            assign()
        }
        taken += 1
        return taken
    }

    func leave(all: Bool) {
        free += all ? count : 1
        assign()
    }

    private func assign() {
        while free > 0, !ones.isEmpty {
            free -= 1
            ones.removeFirst().resume()
        }
        if free == count, !alls.isEmpty {
            free = 0
            alls.removeFirst().resume()
        }
    }
}
