import Diagnostics
import Inventory
import Testing

@testable import Engine

@Suite("Run options")
struct RunOptionsTests {
    @Test(
        "a failure budget is a number or a share",
        arguments: [("0", .hosts(0)), ("3", .hosts(3)), ("25%", .percent(25)), ("100%", .percent(100))]
            as [(String, FailureBudget)])
    func budget(text: String, expected: FailureBudget) {
        #expect(FailureBudget(text) == expected)
    }

    @Test("nothing else is one", arguments: ["", "-1", "x", "101%", "-1%", "%", "1.5"])
    func noBudget(text: String) {
        #expect(FailureBudget(text) == nil)
    }

    @Test(
        "a budget allows so many failures",
        arguments: [
            (.none, 0, 10, true), (.none, 1, 10, false), (.hosts(2), 2, 10, true), (.hosts(2), 3, 10, false),
            (.percent(25), 2, 10, true), (.percent(25), 3, 10, false), (.unlimited, 9, 10, true),
        ] as [(FailureBudget, Int, Int, Bool)])
    func allows(budget: FailureBudget, failed: Int, total: Int, expected: Bool) {
        #expect(budget.allows(failed, of: total) == expected)
    }

    @Test(
        "tags choose plays",
        arguments: [
            ([], [], ["a"], true), ([], [], [], true), (["a"], [], ["a", "b"], true), (["a"], [], ["b"], false),
            (["a"], [], [], false), ([], ["a"], ["a", "b"], false), ([], ["a"], [], true),
            (["a"], ["b"], ["a", "b"], false), (["a"], ["b"], [Play.always, "b"], true),
        ] as [(Set<String>, Set<String>, Set<String>, Bool)])
    func tags(tags: Set<String>, skipped: Set<String>, of play: Set<String>, expected: Bool) {
        var options = RunOptions()
        options.tags = tags
        options.skippedTags = skipped
        #expect(options.selects(Play("P", on: [], tags: play) { _ in }) == expected)
    }

    @Test("a tag that no play has is an error, and so is a limit that leaves no host")
    func checks() throws {
        let plays = [Play("P", on: [.named("a")], tags: ["config"]) { _ in }]
        var options = RunOptions()
        try options.check(plays, on: [.named("a")])
        options.tags = ["confg"]
        let error = #expect(throws: Diagnostic.self) { try options.check(plays, on: [.named("a")]) }
        #expect(error?.description == "no play of the playbook has the tag 'confg'; did you mean 'config'?")
        options.tags = ["config"]
        options.limit = ["b"]
        #expect(throws: Diagnostic.self) { try options.check(plays, on: [.named("a")]) }
    }

    @Test("an interruption reaches who watches, then and later")
    func interruption() async throws {
        let interruption = Interruption()
        #expect(!interruption.isRequested)
        await #expect(throws: CancellationError.self) {
            try await interruption.cancelling {
                interruption.request()
                // Never lasts: it is cancelled.
                try await Task.sleep(for: .seconds(1000))
            }
        }
        #expect(interruption.isRequested)
        await #expect(throws: CancellationError.self) {
            try await interruption.cancelling { try await Task.sleep(for: .seconds(1000)) }
        }
    }
}
