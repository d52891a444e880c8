import Testing

import Diagnostics
import YAML

@Suite("YAML parse")
struct ParseTests {
    @Test("keeps order, places, quotes and tags")
    func tree() throws {
        let root = try #require(
            try YAML.parse("b: 'x'\na:\n  - 1\n  - !env HOME\n  - [é, {k: v}]\n", file: "f.yml"))
        guard case .mapping(let entries) = root.value else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key.text) == ["b", "a"])
        guard case .scalar("x", plain: false) = entries[0].value.value else {
            Issue.record("not quoted")
            return
        }
        #expect(entries[0].value.location.description == "f.yml:1:4")
        guard case .sequence(let elements) = try #require(root["a"]).value else {
            Issue.record("no sequence")
            return
        }
        #expect(elements[1].tag == "!env")
        #expect(elements[1].text == "HOME")
        #expect(elements[2].location.description == "f.yml:5:5")
        #expect(root["c"] == nil)
    }

    @Test("finds nothing in an empty text", arguments: ["", "# only a comment\n", "---\n"])
    func empty(text: String) throws {
        let root = try YAML.parse(text, file: "f.yml")
        #expect(root?.isNull ?? true)
    }

    @Test("follows aliases")
    func aliases() throws {
        let root = try #require(try YAML.parse("a: &x [1, 2]\nb: *x\n", file: "f.yml"))
        #expect(try [Int](yaml: try #require(root["b"])) == [1, 2])
        #expect(root["b"]?.location.description == "f.yml:1:4")
    }

    /// Nine lists, each of nine aliases of the one before.
    private static let bomb: String = (0..<9).map { level in
        let element = level == 0 ? "x" : "*a\(level - 1)"
        let elements = Array(repeating: element, count: 9).joined(separator: ", ")
        return "a\(level): &a\(level) [\(elements)]\n"
    }.joined()

    private static let faults: [(text: String, expected: String)] = [
        ("a: b: c\n", "f:1:5: mapping values are not allowed in this context"),
        (
            "a: [1, 2\nb: 3\n",
            "f:2:2: did not find expected ',' or ']' while parsing a flow sequence of line 1"
        ),
        (
            "a:\n\t- b\n",
            "f:2:1: found character that cannot start any token while scanning for the next token; "
                + "indent with blanks instead of tabs"
        ),
        ("a: 'b\n", "f:2:1: found unexpected end of stream while scanning a quoted scalar of line 1"),
        ("a: b\nc: \u{1}\n", "f:2:4: control characters are not allowed"),
        (
            "a: 1\nb: 2\na: 3\n'b': {c: 1, c: 2}\n",
            "f:3:1: duplicate key 'a'; it is already on line 1\n"
                + "f:4:1: duplicate key 'b'; it is already on line 2\n"
                + "f:4:13: duplicate key 'c'; it is already on line 4"
        ),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "f:3:3: merge keys are not supported; write the entries out"),
        ("a: 1\n---\nb: 2\n", "f:2:1: a second document begins here; keep one document in a file"),
        ("a: *x\n", "f:1:4: there is no anchor '&x' before this alias"),
        ("a: &x [*x]\n", "f:1:8: there is no anchor '&x' before this alias"),
        (
            "[1]: 2\n!t a: 2\n",
            "f:1:1: a key must be a string, found a list\n"
                + "f:2:1: a key must be a string, found a value tagged '!t'"
        ),
        (String(repeating: "[", count: 101), "f:1:101: nested more than 100 levels deep"),
        (bomb, "f:7:10: the document has more than 1000000 values"),
    ]

    @Test("refuses", arguments: faults)
    func refused(text: String, expected: String) throws {
        let diagnostics = try #require(throws: Diagnostics.self) { try YAML.parse(text, file: "f") }
        #expect(diagnostics.description == expected)
    }

    @Test(
        "names the file that cannot be read",
        arguments: [
            ("/nowhere/hosts.yml", "cannot read '/nowhere/hosts.yml': No such file or directory"),
            ("/proc", "cannot read '/proc': Is a directory"),
            ("/proc/self/exe", "'/proc/self/exe' is not UTF-8 text"),
        ])
    func unreadable(path: String, expected: String) throws {
        let diagnostics = try #require(throws: Diagnostics.self) { try YAML.read(file: path) }
        #expect(diagnostics.description == expected)
    }

    @Test("of 4000 entries takes little time")
    func speed() throws {
        let text = (0..<4000).map { "key\($0): value \($0)\n" }.joined()
        let clock = ContinuousClock()
        var size = 0
        let time = try clock.measure {
            size = try [String: String](yaml: try #require(try YAML.parse(text, file: "f"))).count
        }
        #expect(size == 4000)
        // A linear parser needs a few milliseconds, a quadratic one seconds; this leaves room for a busy machine.
        #expect(time < .seconds(1), "\(time)")
    }
}
