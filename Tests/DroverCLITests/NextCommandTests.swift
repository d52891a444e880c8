import Testing

@testable import DroverCLI

@Suite("Next command")
struct NextCommandTests {
    private func lines(
        saved: String? = nil, unasked: [String] = [], limit: String? = nil, _ arguments: [String]
    ) -> [String] {
        NextCommand(
            playbook: "web", saved: saved, unasked: unasked, limit: limit, program: "drover", arguments: arguments
        ).lines
    }

    @Test("is the same with apply, or the file that was saved")
    func next() {
        #expect(lines(["-i", "my hosts.yml"]) == ["To apply it: drover apply web -i 'my hosts.yml'"])
        #expect(lines(saved: "p.json", ["-i", "h"]) == ["To apply it: drover apply --plan p.json"])
    }

    @Test("a word is quoted where a shell wants it")
    func quoting() {
        #expect(CommandLineText.of(["a", "b=c", "d=e f", "", "g="]) == "a b=c d='e f' '' g=")
    }

    @Test("repeats no variable that may be a secret")
    func secrets() {
        #expect(
            lines(["-i", "h", "-e", "password=hunter2", "-e", "size=3", "--extra-vars=db_pass=x"]) == [
                "To apply it: drover apply web -i h -e '…' -e size=3 '…'"
            ])
    }

    @Test("leaves out the hosts that could not be asked, in both ways")
    func unasked() {
        let lines = lines(
            unasked: ["b", "c"], limit: "web", ["-i", "h", "--limit", "web", "--max-failures=1"])
        #expect(
            lines == [
                "The plan is without b c. To apply it to the others, choose them, or let as many hosts fail:",
                "  drover apply web -i h --max-failures=1 --limit 'web,!b,!c'",
                "  drover apply web -i h --limit web --max-failures 2",
            ])
    }
}
