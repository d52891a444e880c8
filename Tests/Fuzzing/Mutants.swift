/// Makes inputs that differ a little from samples: the same inputs for the same seed.
struct Mutants {
    private let samples: [[UInt8]]
    private let pieces: [[UInt8]]
    private var random: SplitMix64
    private var round = 0

    /// - Parameters:
    ///   - pieces: bytes that mean something to the reader, to insert here and there.
    init(of samples: [[UInt8]], pieces: [[UInt8]], seed: UInt64) {
        self.samples = samples
        self.pieces = pieces
        random = SplitMix64(state: seed)
    }

    /// The next one, with one to four changes. The samples take turns.
    mutating func next() -> [UInt8] {
        var mutant = samples[round % samples.count]
        for _ in 0...(round / samples.count % 4) { change(&mutant) }
        round += 1
        return mutant
    }

    private mutating func change(_ elements: inout [UInt8]) {
        guard !elements.isEmpty else { return }
        let start = Int.random(in: 0..<elements.count, using: &random)
        let end = min(elements.count, start + Int.random(in: 1...8, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: elements.removeSubrange(start..<end)
        case 1:
            elements.insert(contentsOf: elements[start..<end], at: Int.random(in: 0..<elements.count, using: &random))
        case 2: elements.swapAt(start, end - 1)
        default: elements.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: start)
        }
    }
}

private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
