import Diagnostics
import TestSupport
import Testing

@testable import Inventory

/// Mutated inventories are an inventory or an error, never a crash or a hang.
@Suite("Mutated inventories")
struct FuzzTests {
    private static let yaml = """
        all:
          vars: {x: 1, y: [a, "{{ x }}", {k: !env HOME}], z: "{{ hostvars[groups['web'][0]].w }}"}
          children:
            web: {hosts: {"w[01:03:2]": {w: &a [1, 2]}, "w9:22": {w: *a}}, vars: {ansible_group_priority: 3}}
            db:
              hosts: {d1: {w: ~, ansible_host: "{{ inventory_hostname }}"}}
              children: {web: }
        """

    private static let ini = """
        h1:22 a=\"[1,{'k':None}]\" b="two words" c=0x1F d={{ansible_port}} # comment
        [web]
        w[01:03:2] e='a' f=r'\\d' g="'\\x41' 'b'" h=-1.5e3
        [web:vars]
        x = {{ y }}
        y='a\\u00e9'
        [db:children]
        web
        [all:vars]
        ansible_port='22'
        """

    private static let json = """
        {"web": {"hosts": ["w1", "w2"], "vars": {"a": 1, "b": "{{ a }}"}, "children": ["in"]}, "in": ["w3"],
         "_meta": {"hostvars": {"w1": {"n": {"k": 1.5}, "s": "\\u00e9"}}}}
        """

    /// Pieces that mean something to one of the readers.
    private static let pieces = [
        "{{", "}}", "{%", "[", "]", "{", "}", ":", ": ", "\n", "\n  ", "'", "\"", "\\", "#", "=", ",", "-", "&a", "*a",
        "!x", "\u{0}", "é", "🙂", "[1:9]", "[9:1]", "[a:z]", "<<", "0", "x", "all", "children:", "hosts:", "[a:vars]",
        "\t", "\r\n", "99999999999999999999", "..", "...", "{{ x }}", "{{ hostvars[x] }}", "'''", "---", "|", ">", "%",
    ]

    @Test("never crash the reader", arguments: [yaml, ini, json])
    func mutated(text: String) {
        #expect(isLoaded(text, asJSON: text == Self.json))
        var mutants = Mutants(of: text, pieces: Self.pieces)
        var loaded = 0
        for _ in 0..<3_400 { loaded += isLoaded(mutants.nextText(), asJSON: text == Self.json) ? 1 : 0 }
        // Neither all nor none: the mutants reach behind the first check.
        #expect((50...3_350).contains(loaded), "\(loaded)")
    }

    private func isLoaded(_ text: String, asJSON: Bool) -> Bool {
        let content: InventoryContent =
            if asJSON {
                .output(ProgramOutput(file: "f", list: text))
            } else {
                switch InventoryForm(of: text) {
                case .yaml: .yaml(text, file: "f")
                case .ini: .ini(text, file: "f")
                }
            }
        guard let inventory = try? Inventory.merge([content], name: "f", directories: []) else { return false }
        return !inventory.listing.isEmpty && !inventory.graph.isEmpty
            && inventory.hosts.allSatisfy { !$0.listing.isEmpty }
    }

    @Test("never crash the reader of host patterns")
    func patterns() throws {
        let directory = try TemporaryDirectory(["hosts.yml": Self.yaml])
        let inventory = try Inventory.load(file: "\(directory.path)/hosts.yml")
        var mutants = Mutants(
            of: "web:all[0:2]:w*[0]:&all:!d9",
            pieces: [
                ":", ":&", ":!", ",", "~", "[", "]", "[0]", "[1:", "*", "(", "?", "\\", "::", "é", "all",
                "9999999999999999999",
            ])
        var matched = 0
        for _ in 0..<3_000 {
            guard let pattern = try? HostPattern(mutants.nextText()) else { continue }
            if let hosts = try? pattern.hosts(in: inventory), !hosts.isEmpty { matched += 1 }
        }
        #expect(matched > 20)
    }

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

    @Test("that are bombs are refused", arguments: bombs.map(\.what))
    func bomb(what: String) throws {
        let content = try #require(Self.bombs.first { $0.what == what }).content
        let clock = ContinuousClock()
        let time = clock.measure {
            if case .ini(let text, _) = content, text.contains("x=") {
                // What is no literal is a text, and what is no reference is told to who asks.
                _ = try? Inventory.merge([content], name: "f", directories: [])
            } else {
                #expect(throws: Diagnostics.self) { try Inventory.merge([content], name: "f", directories: []) }
            }
        }
        #expect(time < .seconds(5), "\(time)")
    }
}
