import Diagnostics
import Testing

@testable import Inventory

/// Inventories that grow while they are read.
@Suite("Bombs")
struct BombTests {
    private static let bombs: [(what: String, content: InventoryContent)] = [
        (
            "aliases",
            .yaml(
                "all:\n  vars:\n    a0: &a0 [x]\n"
                    + (1...30).map { "    a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined(), file: "f")
        ),
        ("nested brackets", .yaml("a: " + String(repeating: "[", count: 100_000), file: "f")),
        ("nested braces", .yaml(String(repeating: "{a: ", count: 100_000), file: "f")),
        ("nested literals", .ini("h x=" + String(repeating: "[", count: 100_000), file: "f")),
        ("nested parentheses", .ini("h x=" + String(repeating: "(", count: 100_000), file: "f")),
        ("nested references", .ini("h\n[all:vars]\nx={{ " + String(repeating: "a[", count: 100_000) + "}}", file: "f")),
        ("open references", .ini("h\n[all:vars]\nx=" + String(repeating: "{{", count: 10_000), file: "f")),
        ("a NUL in YAML", .yaml("all: {hosts: {a\u{0}: }}", file: "f")),
        ("a NUL in INI", .ini("h\u{0}", file: "f")),
        ("too many hosts", .ini("h[1:9999][1:9999]", file: "f")),
        ("too many hosts by number", .ini("h[0:9223372036854775807]", file: "f")),
        ("an array as JSON", .output(ProgramOutput(file: "f", list: "[1]"))),
        ("nothing as JSON", .output(ProgramOutput(file: "f", list: ""))),
    ]

    @Test("are refused at once", arguments: bombs.map(\.what))
    func bomb(what: String) throws {
        let content = try #require(Self.bombs.first { $0.what == what }).content
        let clock = ContinuousClock()
        let time = clock.measure {
            if case .ini(let text, _) = content, text.contains("x=") {
                // A broken literal is a text, and a broken reference is an error of its value.
                _ = try? Inventory.merge([content], name: "f", directories: [])
            } else {
                #expect(throws: Diagnostics.self) { try Inventory.merge([content], name: "f", directories: []) }
            }
        }
        #expect(time < .seconds(5), "\(time)")
    }
}
