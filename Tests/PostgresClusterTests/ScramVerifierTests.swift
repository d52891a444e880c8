import FoundationEssentials
import Secrets
import Testing

@testable import PostgresCluster

@Suite("SCRAM verifier")
struct ScramVerifierTests {
    /// The first one is the example of RFC 7677; the others were made by Python's `hashlib.pbkdf2_hmac`.
    private static let vectors: [(password: String, salt: String, iterations: Int, text: String)] = [
        (
            "pencil", "W22ZaJ0SNY7soEsUEjb6gQ==", 4096,
            "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:"
                + "wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
        ),
        (
            "it's:a$\"Pä sswörd", "AAECAwQFBgcICQoLDA0ODw==", 4096,
            "SCRAM-SHA-256$4096:AAECAwQFBgcICQoLDA0ODw==$zOgOQuQXb1dRHAYYSVJb0YleZHLleQioay1mFRf7dRw=:"
                + "8iNxCEN1GeceBfrBH0X3U+Lp/rNg88vj5rR7UaZI2rY="
        ),
        (
            "lab-app", "AAECAwQFBgcICQoLDA0ODw==", 1,
            "SCRAM-SHA-256$1:AAECAwQFBgcICQoLDA0ODw==$HgCacfxOhRD9CuDek9TATNDjBEcBOvDgJkFHno7YinQ=:"
                + "KPneBRTmrQImwR/sfFgul6stmZyIbORQvShV/c55IMk="
        ),
    ]

    @Test("known vectors", arguments: vectors)
    func known(password: String, salt: String, iterations: Int, text: String) throws {
        let salt = try #require(Data(base64Encoded: salt))
        let verifier = ScramVerifier(of: Secret(password), salt: salt, iterations: iterations)
        #expect(verifier.text.reveal() == text)
        #expect(try #require(ScramVerifier(text)).matches(Secret(password)))
        #expect(try !#require(ScramVerifier(text)).matches(Secret(password + " ")))
    }

    @Test("each has a salt of its own, and knows its password again")
    func roundTrip() throws {
        let first = ScramVerifier(of: Secret("pw")).text.reveal()
        let second = ScramVerifier(of: Secret("pw")).text.reveal()
        #expect(first != second)
        #expect(first.hasPrefix("SCRAM-SHA-256$4096:"))
        #expect(try #require(ScramVerifier(first)).matches(Secret("pw")))
    }

    @Test(
        "what is no verifier",
        arguments: [
            "", "md5d8578edf8458ce06fbc5bb76a58c5ca4", "SCRAM-SHA-256", "SCRAM-SHA-256$0:AAAA$AAAA:AAAA",
            "SCRAM-SHA-256$x:AAAA$AAAA:AAAA", "SCRAM-SHA-256$1:?$AAAA:AAAA", "SCRAM-SHA-1$1:AAAA$AAAA:AAAA",
        ])
    func unreadable(text: String) {
        #expect(ScramVerifier(text) == nil)
    }
}
