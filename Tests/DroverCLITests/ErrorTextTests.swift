import Diagnostics
import Glibc
import TestSupport
import Testing

@testable import DroverCLI

@Suite("Error text")
struct ErrorTextTests {
    private func excerpt(_ text: String, _ line: Int, _ column: Int, width: Int? = nil) -> [String]? {
        SourceExcerpt(of: text, at: SourceLocation(file: "f.yml", line: line, column: column))?
            .lines(style: Style(isColoured: false), width: width)
    }

    @Test("the line of the source stands below the error, with a caret under the place")
    func located() throws {
        let files = try TemporaryDirectory(["f.yml": "all:\n  vars:\n    cluster_vip: 10.70.0.300\n"])
        let location = SourceLocation(file: "\(files.path)/f.yml", line: 3, column: 18)
        let error = Diagnostic("'10.70.0.300' is no IPv4 address", at: location, remedy: "write four numbers")
        let text = ErrorText(style: Style(isColoured: false), width: nil)
        let lines = [
            "drover: \(location): '10.70.0.300' is no IPv4 address; write four numbers",
            " 3 |     cluster_vip: 10.70.0.300",
            "   |                  ^",
        ]
        #expect(text.lines(error, from: "drover") == lines)
        let other = Diagnostic("another", at: nil)
        #expect(text.lines(Diagnostics([other, error]), from: "drover") == lines + ["another"])
        let coloured = ErrorText(style: Style(isColoured: true), width: nil).lines(error, from: "drover")
        #expect(coloured[0].hasPrefix("\u{1b}[31mdrover:\u{1b}[0m \u{1b}[1m\(location):\u{1b}[0m '10.70"))
        #expect(coloured[2].hasSuffix("\u{1b}[31m^\u{1b}[0m"))
    }

    @Test("on a terminal lines are broken between words")
    func wrapped() {
        let text = ErrorText(style: Style(isColoured: false), width: 40)
        #expect(
            text.lines("pg1: cannot connect to 10.70.0.11 port 22\n  → bring it back", from: "drover") == [
                "drover: pg1: cannot connect to", "    10.70.0.11 port 22", "  → bring it back",
            ])
        #expect(Text.wrapped("  " + String(repeating: "x", count: 50), 20).count == 1)
    }

    @Test("a place without a text has no excerpt")
    func nowhere() throws {
        let files = try TemporaryDirectory(["f.yml": "a: 1\n"])
        for (file, line) in [("\(files.path)/g.yml", 1), ("--extra-vars", 1), ("\(files.path)/f.yml", 7)] {
            #expect(SourceExcerpt(at: SourceLocation(file: file, line: line, column: 1)) == nil)
        }
        #expect(excerpt("$ANSIBLE_VAULT;1.1;AES256\n3132\n", 2, 1) == nil)
    }

    @Test("a pipe that was read is not opened again, which would wait for a writer", .timeLimit(.minutes(1)))
    func pipe() throws {
        let files = try TemporaryDirectory()
        try #require(mkfifo("\(files.path)/pipe", 0o600) == 0)
        #expect(SourceExcerpt(at: SourceLocation(file: "\(files.path)/pipe", line: 1, column: 1)) == nil)
    }

    @Test("an error about a key does not show its value")
    func keys() {
        #expect(excerpt("    cluster_vipp: 10.70.0.100\n", 1, 5) == [" 1 |     cluster_vipp: …", "   |     ^"])
        #expect(excerpt("db1 ansible_prt=22\n", 1, 5) == [" 1 | db1 ansible_prt= …", "   |     ^"])
    }

    @Test(
        "a line that may hold a secret is not shown",
        arguments: [
            ("patroni_superuser_password: [1]", 1, 29), ("users: [{ name: app, pasword: x, nme: y }]", 1, 33),
            ("app_secrt: x", 1, 1), ("passwords:\n  - hunter2", 2, 5), ("password: |\n  one\n  hunter2", 3, 3),
            ("a:\n  password:\n    hunter2", 3, 5), ("db1 ansible_become_pass=x port=y", 1, 27),
        ])
    func secrets(text: String, line: Int, column: Int) {
        #expect(excerpt(text, line, column) == nil)
    }

    @Test("of a long line the part around the place is shown")
    func long() throws {
        let line = "list: [" + (1...40).map { "item\($0)" }.joined(separator: ", ") + "]"
        let lines = try #require(excerpt(line, 1, 200, width: 60))
        #expect(lines[0].count <= 60)
        let caret = try #require(lines[1].firstIndex(of: "^"))
        let column = lines[1].distance(from: lines[1].startIndex, to: caret)
        #expect(Array(lines[0])[column] == Array(line)[199])
    }
}
