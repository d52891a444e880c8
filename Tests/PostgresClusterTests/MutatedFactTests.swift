import Drover
import TestSupport
import Testing

@testable import PostgresCluster

/// What a host says of its cluster is read or refused, never a crash, and no question is left without an answer.
@Suite("Mutated facts of a cluster")
struct MutatedFactTests {
    private static let pieces = [
        "\n", "|", " ", ".", "=", "question\n", "0", "-1", "99999999999999999999", "1e999", "é", "\u{0}", "{", "}", "[",
        "]",
        "\"", ",", ":", "null", "true", "/",
    ]

    private func read<F: Fact>(_ output: String, _ question: F) {
        var mutants = Mutants(of: output, pieces: Self.pieces)
        for _ in 0..<500 {
            guard let answers = try? F.answers(to: [question], from: mutants.nextText()) else { continue }
            #expect(answers[question] != nil, "\(F.self)")
        }
    }

    @Test("backups, clocks, identities, listeners")
    func facts() {
        read("1795353871 \(BackupSample.info)\n", BackupSample.question)
        read("5 \(WALGSample.list)\n", WALGSample.question)
        read("100.5 103.25\n", ClockReading())
        read("=\n", ErrandMark("x"))
        read("total 4194304\nlimit 1073741824\nfile shared_buffers\n", MemberMemory())
        read("scope: demo\n", ConfiguredScope())
        read("LISTEN 0 4096 10.0.0.1:5432 0.0.0.0:* users:((\"postgres\",pid=7,fd=5))\n", Listeners())
        read("100\n", KeepalivedPriority())
        read("owner 1 2\n", BackupIdentity())
    }

    @Test("positions, moments, verifiers")
    func texts() {
        var mutants = Mutants(
            of: "2026-11-22 15:04:05.25+01:00 16/B374D848 SCRAM-SHA-256$4096:AAAA$BBBB=:CCCC= 000000010000000A000000FF",
            pieces: Self.pieces)
        for _ in 0..<2_000 {
            let text = mutants.nextText()
            for word in [Substring(text)] + text.split(separator: " ") {
                _ = (LogPosition(String(word)), try? Moment(String(word)), ScramVerifier(String(word)))
            }
            _ = ClusterConfiguration.AccessRule.masking(text)
        }
    }
}
