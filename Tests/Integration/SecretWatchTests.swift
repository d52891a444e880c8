import Foundation
import Testing

@Suite("Secret watch")
struct SecretWatchTests {
    @Test(
        "finds a secret in every form that programs give it",
        arguments: [
            "s3cret/pass word", "s3cret%2Fpass%20word", "7333637265742f7061737320776f7264", "czNjcmV0L3Bhc3Mgd29yZA",
            Data("x s3cret/pass word y".utf8).base64EncodedString(),
            Data("xys3cret/pass word".utf8).base64EncodedString(), "SCRAM-SHA-256$4096:c2FsdA==$a:b",
        ])
    func forms(text: String) async throws {
        let bait = try Bait(text)
        defer { bait.end() }
        let (_, found) = try await SecretWatch.watching(for: ["s3cret/pass word"], least: 1) {}
        #expect(!found.isEmpty)
    }
}
