/// What is kept of an output that a script goes on printing: everything up to a limit, or only the last of it.
struct KeptOutput {
    enum Policy {
        /// All of it; more than so many bytes are too many.
        case whole(limit: Int)
        /// The last so many bytes.
        case end(Int)
    }

    private let policy: Policy
    private var kept: [UInt8] = []
    /// Whether more was printed than could be kept, though all of it was wanted.
    private(set) var isTooLong = false

    init(_ policy: Policy) {
        self.policy = policy
    }

    /// How many bytes are in memory.
    var held: Int { kept.count }

    var bytes: [UInt8] {
        switch policy {
        case .whole: kept
        case .end(let count): Array(kept.suffix(count))
        }
    }

    mutating func append(_ bytes: [UInt8]) {
        switch policy {
        case .whole(let limit):
            guard !isTooLong, held + bytes.count <= limit else { return isTooLong = true }
            kept += bytes
        case .end(let count):
            kept += bytes.suffix(count)
            // Seldom enough that each byte is moved once at most.
            if held > 2 * count { kept.removeFirst(held - count) }
        }
    }
}
