import Diagnostics
import Testing

@testable import Engine

@Suite("Confirmation")
struct ConfirmationTests {
    @Test(
        "accepts what names the thing and tells it from a namesake",
        arguments: [
            ("7", "lab@7", true), ("7", "lab", false), ("7", "lab@8", false), ("7", "lab@7 ", false),
            ("7", "prod@7", false), ("7", "", false), (nil, "lab", true), (nil, "lab@7", true), (nil, "lab2@7", false),
            (nil, "prod", false),
        ] as [(String?, String, Bool)])
    func accepts(identity: String?, words: String, expected: Bool) {
        #expect(Confirmation(name: "lab", identity: identity).accepts(words) == expected)
    }

    @Test("its own words are accepted", arguments: ["7", nil])
    func words(identity: String?) {
        let confirmation = Confirmation(name: "lab", identity: identity)
        #expect(confirmation.accepts(confirmation.words))
    }

    @Test("several refusals are one, and none is none")
    func refusals() {
        let refusal = Refusal(all: [Refusal("one", remedies: ["a", "b"]), Refusal("two", remedies: ["c"])])
        #expect(refusal?.description == "one\n  - a\n  - b\ntwo\n  - c")
        #expect(Refusal(all: []) == nil)
    }

    @Test("nothing may be left out of what is carried out as a whole")
    func whole() throws {
        var options = RunOptions()
        options.failureBudget = .hosts(0)
        try options.checkWhole("p")
        let faults: [(String, (inout RunOptions) -> Void)] = [
            ("--limit", { $0.limit = ["a"] }), ("--tags", { $0.tags = ["t"] }),
            ("--skip-tags", { $0.skippedTags = ["t"] }), ("--max-failures", { $0.failureBudget = .hosts(1) }),
        ]
        for (option, change) in faults {
            var options = RunOptions()
            change(&options)
            let error = #expect(throws: Diagnostic.self) { try options.checkWhole("p") }
            #expect(
                error?.description
                    == "p is carried out as a whole: \(option) would leave it half done; leave that out")
        }
    }
}
