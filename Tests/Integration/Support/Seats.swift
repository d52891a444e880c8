/// A room with so many seats. Who comes first sits first, also one who wants several.
actor Seats {
    let count: Int
    private var free: Int
    private var guests = 0
    private var waiting: [(wanted: Int, seated: CheckedContinuation<Void, Never>)] = []

    init(_ count: Int) {
        self.count = count
        free = count
    }

    /// Waits until so many seats are free, and nobody came before. Returns how many have sat down so far.
    func take(_ wanted: Int) async -> Int {
        if waiting.isEmpty && wanted <= free {
            free -= wanted
        } else {
            await withCheckedContinuation { waiting.append((wanted, $0)) }
        }
        guests += 1
        return guests
    }

    func leave(_ taken: Int) {
        free += taken
        while let next = waiting.first, next.wanted <= free {
            free -= next.wanted
            waiting.removeFirst().seated.resume()
        }
    }
}
