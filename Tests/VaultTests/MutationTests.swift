import Diagnostics
import Secrets
import TestSupport
import Testing

@testable import Vault

@Suite("Mutated vaults")
struct MutationTests {
    @Test("are opened or refused, never a crash, and never another text")
    func mutated() throws {
        let text = VaultText(
            label: "x", salt: Array(repeating: 1, count: 32), authenticator: Array(repeating: 2, count: 32),
            ciphertext: Array(repeating: 3, count: 32)
        ).description
        #expect(VaultText.isIn(text))
        var mutants = Mutants(
            of: text, pieces: ["$ANSIBLE_VAULT", ";", "1.1", "AES256", "\n", "\r\n", "0a", "z", " ", "é"])
        var read = 0
        for _ in 0..<3_000 {
            let mutant = mutants.nextText()
            guard VaultText.isIn(mutant), let vault = try? VaultText(mutant, at: nil) else { continue }
            read += 1
            // What was read is written such that it is read as the same.
            #expect(try VaultText(vault.description, at: nil) == vault)
        }
        #expect((20...2_990).contains(read), "\(read)")
    }
}
