import Testing

import TestSupport

@testable import Engine

@Suite("Facts")
struct FactTests {
    @Test("questions of one kind are asked once, together, in their order")
    func requests() {
        var requests = FactRequests([Echo(text: "a"), Printed(script: "echo x"), Echo(text: "b"), Echo(text: "a")])
        for text in ["b", "c"] { requests.insert(Echo(text: text)) }
        #expect(
            requests.kinds.map(\.script) == [
                #"for word in a b c; do printf '%s\n' "$word"; done"#, "echo x",
            ])
    }

    @Test("only what is not answered is asked again, also when the answer is nil")
    func unanswered() {
        let requests = FactRequests([Echo(text: "a"), Echo(text: "b"), Printed(script: ":")])
        var facts = Facts()
        #expect(requests.unanswered(by: facts).kinds.count == 2)
        facts.record(nil, to: Printed(script: ":"))
        facts.record("a", to: Echo(text: "a"))
        #expect(requests.unanswered(by: facts).kinds.map(\.script) == [Echo.script(for: [Echo(text: "b")])])
        facts.record("b", to: Echo(text: "b"))
        #expect(requests.unanswered(by: facts).isEmpty)
    }

    @Test("an answer from before a change is known, but is asked for again")
    func old() throws {
        let requests = FactRequests([Echo(text: "a"), Echo(text: "b")])
        var facts = Facts()
        facts.record("a", to: Echo(text: "a"))
        facts.record("b", to: Echo(text: "b"))
        facts.age()
        #expect(facts.ifKnown(Echo(text: "a")) == "a")
        var newer = Facts()
        newer.record("c", to: Echo(text: "b"))
        facts.merge(newer)
        #expect(requests.unanswered(by: facts).kinds.map(\.script) == [Echo.script(for: [Echo(text: "a")])])
        #expect(try facts[Echo(text: "b")] == "c")
    }

    @Test("an answer that was not asked for is an error that names the fact")
    func unasked() throws {
        var facts = Facts()
        let error = #expect(throws: UnaskedFact.self) { try facts[Echo(text: "a")] }
        #expect(error?.description == #"the fact Echo(text: "a") was used but not asked for"#)
        facts.record("old", to: Echo(text: "a"))
        facts.record("b", to: Echo(text: "b"))
        var newer = Facts()
        newer.record("new", to: Echo(text: "a"))
        facts.merge(newer)
        #expect(try facts[Echo(text: "a")] == "new")
        #expect(try facts[Echo(text: "b")] == "b")
    }

    @Test("one script answers all kinds")
    func gather() async throws {
        let asked = FactRequests([
            Echo(text: "it's"), Printed(script: "printf 'no newline'"), Echo(text: "two\u{1e} words $HOME"),
        ])
        let script = GatherScript(asked, nonce: "0123abcd")
        let run = try await ShellRun.of(script.text.reveal())
        let facts = try script.read(run.output).facts
        #expect(try facts[Echo(text: "it's")] == "it's")
        #expect(try facts[Echo(text: "two\u{1e} words $HOME")] == "two\u{1e} words $HOME")
        #expect(try facts[Printed(script: "printf 'no newline'")] == "no newline")
    }

    @Test(
        "a kind that fails, reads, or prints nothing does not disturb the others",
        arguments: ["false", "cat", "nosuchcommand-xyz 2>/dev/null", "(exit 3)", "# a comment", "cat <<END\nEND"]
            as [ShellText])
    func disturbance(script: ShellText) async throws {
        let gather = GatherScript(FactRequests([Printed(script: script), Echo(text: "a")]), nonce: "0123abcd")
        let run = try await ShellRun.of(gather.text.reveal())
        #expect(run.status == 0)
        let facts = try gather.read(run.output).facts
        #expect(try facts[Printed(script: script)] == nil)
        #expect(try facts[Echo(text: "a")] == "a")
    }

    @Test(
        "an output that was cut or garbled is an error",
        arguments: [
            "", "welcome\n", "\u{1e}n\n", "\u{1e}n\na\n", "\u{1e}n\na\n\u{1e}n", "\u{1e}n\n\u{1e}n\n",
            "\u{1e}n\na\n\u{1e}n\nb\n\u{1e}n\n",
        ])
    func garbled(output: String) {
        let gather = GatherScript(FactRequests([Echo(text: "a")]), nonce: "n")
        #expect(throws: UnreadableAnswer.self) { try gather.read(output) }
    }

    @Test("what a login shell says before the first border is passed over")
    func greeting() throws {
        let gather = GatherScript(FactRequests([Echo(text: "a")]), nonce: "n")
        let facts = try gather.read("Welcome!\n\u{1e}n\nthe answer\n\u{1e}n\n12\n").facts
        #expect(try facts[Echo(text: "a")] == "the answer")
    }

    @Test("hexadecimal digits", arguments: [([UInt8](), ""), ([0, 9, 16, 255], "000910ff")])
    func hexadecimal(bytes: [UInt8], digits: String) {
        #expect(bytes.hexadecimal == digits)
    }
}
