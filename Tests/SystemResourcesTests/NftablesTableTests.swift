import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Nftables table")
struct NftablesTableTests {
    private static let table = NftablesTable("web-1", containing: "chain input {\n\n    accept\n}")
    private static let file = "/etc/drover/nftables/web-1.nft"
    private static let content = """
        table inet drover_web_1
        delete table inet drover_web_1
        table inet drover_web_1 {
            chain input {

                accept
            }
        }

        """
    private static let record = "/var/lib/drover/nftables/web-1"
    private static let unit = "drover-nftables-web-1"
    private static let load = "load nftables table web-1"

    private struct Row: Sendable {
        var what: String
        var file = FileContent.Answer.asExpected
        var written = 100
        var loaded: Int? = 200
        var record = ["listing"]
        var listing = ["listing"]
        var unitFile = "enabled"
        var needsDaemonReload = false
        var unit = FileContent.Answer.asExpected
        var expected: [String] = []
    }

    private static let rows: [Row] = [
        Row(what: "converged"),
        Row(what: "the rules change", file: .different("x"), expected: ["write \(file)", load]),
        Row(what: "a run ended before it loaded the rules", loaded: 50, expected: [load]),
        Row(what: "never loaded", loaded: nil, record: [], listing: [], expected: [load]),
        Row(what: "a rule was added by hand", listing: ["listing", "rule"], expected: [load]),
        Row(what: "the table is gone", listing: [], expected: [load]),
        Row(what: "not enabled", unitFile: "disabled", expected: ["enable \(unit)"]),
        Row(what: "systemd has not read the unit", needsDaemonReload: true, expected: ["enable \(unit)"]),
        Row(
            what: "another unit", unit: .different("x"),
            expected: ["write /etc/systemd/system/\(unit).service", "enable \(unit)"]),
    ]

    @Test("is in force now and after the next boot", arguments: rows)
    private func decides(row: Row) throws {
        var facts = Facts()
        for question in Self.table.questions {
            switch question {
            case let content as FileContent:
                facts.record(content.path == Self.file ? row.file : row.unit, to: content)
            case let status as FileStatus where status.path == Self.record:
                facts.record(row.loaded.map { .file(modified: $0) }, to: status)
            case let status as FileStatus where status.path == Self.file:
                facts.record(.file(modified: row.written), to: status)
            case let status as FileStatus:
                facts.record(status.path.hasSuffix(".service") ? .file() : .directory(), to: status)
            case let unit as UnitStatus:
                facts.record(
                    .init(active: "active", unitFile: row.unitFile, needsDaemonReload: row.needsDaemonReload), to: unit)
            case let record as PathEntry:
                facts.record(.text(row.record.map { $0 + "\n" }.joined()), to: record)
            case let listing as NftablesListing: facts.record(row.listing, to: listing)
            default: Issue.record("an unknown question \(question)")
            }
        }
        let changes = try Self.table.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == row.expected, "\(row.what)")
        if row.file != .asExpected { #expect(changes[0].diff?.text.contains("+        chain input {") == false) }
    }

    @Test("replaces its own table in one transaction")
    func content() {
        #expect(Self.table.questions.contains { $0 as? FileContent == FileContent(Self.file, expected: Self.content) })
    }

    @Test("listings are told apart, and a missing nft lists nothing")
    func listings() throws {
        let questions = ["a", "b"].map(NftablesListing.init)
        let answers = try NftablesListing.answers(to: questions, from: "\u{1d}\n\u{1d}\ntable inet b {\n}\n")
        #expect(answers == [questions[0]: [], questions[1]: ["table inet b {", "}"]])
        #expect(throws: UnreadableAnswer.self) { try NftablesListing.answers(to: questions, from: "") }
    }
}
