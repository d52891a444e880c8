import FoundationEssentials
import Testing

/// Each reader accepts or refuses mutated input; it never crashes.
@Suite("Mutated input")
struct MutationTests {
    /// The share of a reader: all of them together take ten seconds of a processor.
    private static let time = Duration.seconds(10) / FuzzedReader.all.count
    /// So many mutants make the shares of ``FuzzedReader/accepted`` certain.
    private static let leastRounds = 1000

    /// `FUZZ_SEED` repeats a run, with ten times as long: the machine may be slower.
    private static let repeatedSeed = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) }

    @Test("is read or refused", arguments: FuzzedReader.all)
    func mutated(reader: FuzzedReader) throws {
        for sample in reader.samples { #expect(try reader.read(sample), "\(String(decoding: sample, as: UTF8.self))") }
        let seed = Self.repeatedSeed ?? .random(in: 0...(.max))
        // A crash leaves nothing else behind.
        print("mutated input of \(reader): FUZZ_SEED=\(seed)")
        var mutants = Mutants(of: reader.samples, pieces: reader.pieces, seed: seed)
        let clock = ContinuousClock()
        let end = clock.now + (Self.repeatedSeed == nil ? Self.time : Self.time * 10)
        var (rounds, accepted) = (0, 0)
        while rounds < Self.leastRounds || clock.now < end {
            let mutant = mutants.next()
            do {
                accepted += try reader.read(mutant) ? 1 : 0
            } catch let wrong as WrongReading {
                Issue.record("FUZZ_SEED=\(seed), \(wrong): \(String(decoding: mutant, as: UTF8.self).debugDescription)")
                return
            }
            rounds += 1
        }
        #expect(
            reader.accepted.contains(Double(accepted) / Double(rounds)), "\(accepted) of \(rounds), FUZZ_SEED=\(seed)")
    }
}
