import Foundation
import TestSupport
import Testing

/// What README.md and the documentation show of the program's output.
@Suite("Output in the documentation", .lab(of: 3))
struct DocumentedOutputTests {
    /// One scenario on a lab gives the output of all pages; `make docs-examples` puts it into them.
    @Test("is what the program prints")
    func examples() async throws {
        let folder = try TemporaryDirectory()
        for words in [["record", Drover.program, folder.path], ["check", folder.path]] {
            let result = try await Command.run(
                ["env", "LAB=\(TestLab.current.name)", "\(Drover.checkout)/docs/scripts/examples.py"] + words,
                seconds: 900)
            try #require(result.status == 0, "\(result.everything)")
        }
        withExtendedLifetime(folder) {}
    }
}
