import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Block")
struct BlockTests {
    private static let block = "# BEGIN drover b\none\ntwo\n# END drover b\n"

    private static let rows: [(old: String, place: TextPlace, new: String?)] = [
        ("a\nz\n", .end, "a\nz\n" + block), ("a\nz\n", .start, block + "a\nz\n"),
        ("a\nz\n", .after("^a"), "a\n\(block)z\n"), ("a\nz\n", .before("z"), "a\n\(block)z\n"), ("", .end, block),
        ("a\n\(block)z\n", .end, nil), ("a\n\(block)z\n", .start, nil),
        ("a\n# BEGIN drover b\nold\n# END drover b\nz\n", .start, "a\n\(block)z\n"),
        ("# BEGIN drover b\n# END drover b\n", .start, block),
        ("# BEGIN drover c\nx\n# END drover c\n", .end, "# BEGIN drover c\nx\n# END drover c\n" + block),
    ]

    private func changes(_ old: String, _ block: Block) throws -> [Change] {
        var facts = Facts()
        facts.record(.file(), to: FileStatus("/f"))
        facts.record(.text(old), to: PathEntry("/f"))
        return try block.changes(given: facts, after: .init())
    }

    @Test("stands once between its markers", arguments: rows)
    func decides(old: String, place: TextPlace, new: String?) throws {
        let block = try Block("b", in: "/f", containing: "one\ntwo\n", at: place)
        let changes = try changes(old, block)
        #expect(changes.first?.texts["/f"]?.reveal() == new)
        if let new { #expect(try self.changes(new, block).isEmpty) }
    }

    @Test("markers of others are taken over")
    func markers() throws {
        let block = try Block(
            "b", in: "/f", containing: "new",
            markers: .init(begin: "# BEGIN ANSIBLE MANAGED BLOCK", end: "# END ANSIBLE MANAGED BLOCK"))
        let old = "# BEGIN ANSIBLE MANAGED BLOCK\nold\n# END ANSIBLE MANAGED BLOCK\n"
        let change = try only(changes(old, block))
        #expect(change.texts["/f"]?.reveal() == old.replacing("old", with: "new"))
        #expect(change.summary == "put the block b into /f")
        #expect(Block.Markers("x", comment: ";").begin == "; BEGIN drover x")
    }

    @Test(
        "what is left of a block is no ground to build on",
        arguments: [
            "# BEGIN drover b\n", "# END drover b\n# BEGIN drover b\n", block + block,
        ])
    func halves(old: String) async throws {
        let change = try only(changes(old, Block("b", in: "/f", containing: "x")))
        #expect(
            change.summary.hasPrefix("cannot edit /f: the markers '# BEGIN drover b' and '# END drover b' do not stand")
        )
        #expect(try await HostShell.run([change]).status == 1)
    }

    @Test("wrong parameters are told")
    func wrong() {
        #expect(throws: Diagnostic.self) { try Block("b", in: "f", containing: "x") }
        #expect(throws: Diagnostic.self) { try Block("b\nc", in: "/f", containing: "x") }
        #expect(throws: Diagnostic.self) { try Block("b", in: "/f", containing: "x\n# END drover b\ny") }
        #expect(throws: Diagnostic.self) {
            try Block("b", in: "/f", containing: "x", markers: .init(begin: "#", end: "#"))
        }
        #expect(throws: Diagnostic.self) { try Block("b", in: "/f", containing: "x", at: .before("(")) }
    }

    @Test("a secret of several lines is hidden in all of them, and written for real")
    func secrets() async throws {
        let directory = try TemporaryDirectory(["f": "a\n"])
        var content = MaskedText()
        content.append(Secret("key-one\nkey-two\n"))
        let block = try Block("b", in: "\(directory.path)/f", containing: content)
        let (run, changes) = try await ThisMachine.ensure(block)
        #expect(run == .silent)
        let change = try only(changes)
        #expect(!change.script.description.contains("key-"))
        #expect(
            change.diff?.text == [
                "@@ -1,1 +1,5 @@", " a", "+# BEGIN drover b", "+‹secret›", "+‹secret›", "+# END drover b",
            ])
        #expect(try directory.text(of: "f") == "a\n# BEGIN drover b\nkey-one\nkey-two\n# END drover b\n")
        #expect(try await ThisMachine.ensure(block).changes.isEmpty)
    }
}
