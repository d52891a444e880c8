/// A room with so many seats. Guests who want one each sit in the order in which they came; a guest who wants all waits until
/// nobody else does, so that no seat stays empty before.
actor Seats {
    let count: Int
    private var free: Int
    private var guests = 0
    private var ones: [CheckedContinuation<Void, Never>] = []
    private var alls: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        self.count = count
        free = count
    }

    /// Waits for one seat, or for all. Returns how many guests have sat down so far.
    func take(all: Bool) async -> Int {
        await withCheckedContinuation { guest in
            if all { alls.append(guest) } else { ones.append(guest) }
            seat()
        }
        guests += 1
        return guests
    }

    func leave(all: Bool) {
        free += all ? count : 1
        seat()
    }

    private func seat() {
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
