import Testing

@testable import SSH

@Suite("Kept output")
struct KeptOutputTests {
    /// What is printed, in pieces as they arrive.
    private func pieces(_ count: Int) -> [[UInt8]] {
        (0..<count).map { Array(repeating: UInt8($0 % 256), count: 1000) }
    }

    @Test("of an output that nobody waits for, the end is kept, and never more than twice of it")
    func end() {
        var output = KeptOutput(.end(2500))
        let pieces = pieces(40)
        for piece in pieces { output.append(piece) }
        #expect(output.bytes == Array(pieces.joined().suffix(2500)))
        #expect(output.held <= 5000 && !output.isTooLong)
    }

    @Test("an output that is wanted whole is too long beyond its limit, and grows no more")
    func whole() {
        var output = KeptOutput(.whole(limit: 3000))
        let pieces = pieces(5)
        for piece in pieces.prefix(3) { output.append(piece) }
        #expect(output.bytes == Array(pieces.prefix(3).joined()) && !output.isTooLong)
        for piece in pieces.suffix(2) { output.append(piece) }
        #expect(output.held == 3000 && output.isTooLong)
    }
}
