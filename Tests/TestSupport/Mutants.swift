/// Makes inputs that are nearly another one: the same ones in every run.
public struct Mutants<Element: Sendable>: Sendable {
    private let source: [Element]
    private let pieces: [[Element]]
    private var random = SplitMix64(state: 42)
    private var round = 0

    /// - Parameter pieces: what means something to the reader, and is put in here and there.
    public init(of source: some Sequence<Element>, pieces: [[Element]]) {
        self.source = Array(source)
        self.pieces = pieces
    }

    /// The next one, with one to four changes.
    public mutating func next() -> [Element] {
        var mutant = source
        for _ in 0...(round % 4) { change(&mutant) }
        round += 1
        return mutant
    }

    private mutating func change(_ elements: inout [Element]) {
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

extension Mutants<Unicode.Scalar> {
    /// Those of a text.
    public init(of text: String, pieces: [String]) {
        self.init(of: text.unicodeScalars, pieces: pieces.map { Array($0.unicodeScalars) })
    }

    public mutating func nextText() -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: next())
        return String(scalars)
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
