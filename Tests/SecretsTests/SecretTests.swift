import Testing

import Secrets

@Suite("Secret")
struct SecretTests {
    private struct Holder { let password = Secret("hunter2") }

    @Test("is masked however it is printed")
    func masked() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(Holder(), to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: Holder()), dumped] {
            #expect(!text.contains("hunter2"))
        }
    }

    @Test("masks only its own pieces of a text")
    func text() {
        var text: MaskedText = "password: "
        text.append(Secret("hunter2"))
        text.append("\nport: 5432\n")
        #expect(text.description == "password: ‹secret›\nport: 5432\n")
        #expect(text.reveal() == "password: hunter2\nport: 5432\n")
        #expect(text.hasSecrets)
        #expect(!MaskedText("port: 5432").hasSecrets)
    }

    @Test("a text with values in it is written as a literal, and keeps its secrets")
    func interpolation() {
        let inner: MaskedText = "b=\(Secret("two"))"
        let text: MaskedText = "size \(3)\na=\(Secret("one")) \(inner)\n"
        #expect(text.description == "size 3\na=‹secret› b=‹secret›\n")
        #expect(text.reveal() == "size 3\na=one b=two\n")
        #expect(("plain \("x")" as MaskedText) == MaskedText("plain x"))
    }
}
