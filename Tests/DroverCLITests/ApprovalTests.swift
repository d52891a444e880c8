import Engine
import Testing

@testable import DroverCLI

@Suite("Approval")
struct ApprovalTests {
    private struct Row: Sendable {
        var isDestructive = true
        var yes = false
        var words: String?
        var isInteractive = false
        var expected: Approval?
        var refusal: String?
    }

    private static let rows: [Row] = [
        Row(isDestructive: false, yes: true, expected: .given),
        Row(isDestructive: false, isInteractive: true, expected: .yes),
        Row(isDestructive: false, yes: true, words: "x", expected: .given),
        Row(
            isDestructive: false, words: "x",
            refusal: "the plan destroys nothing that could be confirmed\n  - add --yes"
        ),
        Row(isInteractive: true, expected: .name("lab")),
        Row(words: "lab@7", expected: .given),
        Row(words: "lab@7", isInteractive: true, expected: .given),
        Row(
            yes: true, words: "prod@7",
            refusal: "'prod@7' is not what the plan destroys\n  - if 'lab' is to go, write --confirm lab@7"),
        Row(
            words: "lab@8", isInteractive: true,
            refusal: "'lab@8' is not what the plan destroys\n  - if 'lab' is to go, write --confirm lab@7"),
        Row(
            yes: true,
            refusal: "the plan destroys 'lab', for which --yes is not enough\n"
                + "  - if that is to go, write --confirm lab@7"),
        Row(
            yes: true, isInteractive: true,
            refusal: "the plan destroys 'lab', for which --yes is not enough\n"
                + "  - if that is to go, write --confirm lab@7"),
    ]

    @Test("is given, asked for or refused", arguments: rows)
    private func decides(row: Row) throws {
        func approval() throws -> Approval {
            try Approval(
                for: row.isDestructive ? Confirmation(name: "lab", identity: "7") : nil, yes: row.yes, words: row.words,
                isInteractive: row.isInteractive)
        }
        if let refusal = row.refusal {
            let error = #expect(throws: Refusal.self) { try approval() }
            #expect(error?.description == refusal)
        } else {
            #expect(try approval() == row.expected)
        }
    }
}
