import Testing

import TestSupport

@testable import Engine

@Suite("Unified diff")
struct UnifiedDiffTests {
    @Test(
        "known cases",
        arguments: [
            ("", "", []),
            ("a\nb\n", "a\nb\n", []),
            ("", "a\nb\n", ["@@ -0,0 +1,2 @@", "+a", "+b"]),
            ("a\n", "", ["@@ -1,1 +0,0 @@", "-a"]),
            ("a\nb\nc\n", "a\nB\nc\n", ["@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"]),
            ("a\n\nc\n", "a\nc\n", ["@@ -1,3 +1,2 @@", " a", "-", " c"]),
            ("1\n2\n3\n4\n5\n", "1\n2\n3\n4\n5\n6\n", ["@@ -3,3 +3,4 @@", " 3", " 4", " 5", "+6"]),
            ("a\r\nb\r\n", "a\r\nc\r\n", ["@@ -1,2 +1,2 @@", " a\r", "-b\r", "+c\r"]),
        ])
    func known(old: String, new: String, expected: [String]) {
        #expect(UnifiedDiff(from: old, to: new).text == expected)
    }

    @Test(
        "changes share a hunk when at most six lines are between them",
        arguments: [(6, 1), (7, 2)])
    func hunks(between: Int, count: Int) {
        let middle = (0..<between).map { "same \($0)" }
        let diff = UnifiedDiff(from: ["a"] + middle + ["b"], to: ["A"] + middle + ["B"])
        #expect(diff.text.filter { $0.hasPrefix("@@") }.count == count)
    }

    @Test("patch(1) makes the new text of the old one")
    func patches() async throws {
        var generator = SeededGenerator(seed: 11)
        var files: [String: String] = [:]
        for number in 0..<60 {
            let lines = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                ["a", "b", "c", "", "- x", "+ y", "@@ -1 +1 @@", "it's"].randomElement(using: &generator) ?? ""
            }
            var changed = lines
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let index = Int.random(in: 0...changed.count, using: &generator)
                if Bool.random(using: &generator), index < changed.count {
                    changed.remove(at: index)
                } else {
                    changed.insert("new \(number)", at: index)
                }
            }
            files["\(number).old"] = lines.map { $0 + "\n" }.joined()
            files["\(number).new"] = changed.map { $0 + "\n" }.joined()
            files["\(number).patch"] = (["--- old", "+++ new"] + UnifiedDiff(from: lines, to: changed).text)
                .map { $0 + "\n" }.joined()
        }
        let directory = try TemporaryDirectory(files)
        let run = try await ShellRun.of(
            """
            cd \(ShellText.quoting(directory.path))
            for patch in *.patch; do
                name=${patch%.patch}
                if cmp -s $name.old $name.new; then continue; fi
                patch --fuzz=0 --quiet --output=$name.patched $name.old $patch || echo "$name does not apply"
                cmp $name.patched $name.new 2>&1
            done
            """)
        #expect(run.output == "")
    }

    @Test("is as short as that of diff(1)")
    func minimal() async throws {
        var generator = SeededGenerator(seed: 13)
        var files: [String: String] = [:]
        var counts: [String] = []
        for number in 0..<30 {
            let texts = (0..<2).map { _ in
                (0..<12).map { _ in ["a", "b", "c", "d"].randomElement(using: &generator) ?? "" }
            }
            files["\(number).old"] = texts[0].map { $0 + "\n" }.joined()
            files["\(number).new"] = texts[1].map { $0 + "\n" }.joined()
            let changed = UnifiedDiff(from: texts[0], to: texts[1]).text.count {
                !$0.hasPrefix(" ") && !$0.hasPrefix("@")
            }
            counts.append("\(changed)")
        }
        let directory = try TemporaryDirectory(files)
        let run = try await ShellRun.of(
            """
            cd \(ShellText.quoting(directory.path))
            for number in $(seq 0 29); do diff --minimal $number.old $number.new | grep -c '^[<>]'; done
            """)
        #expect(run.output.linesOfText == counts)
    }

    @Test("a large file that is new, gone or wholly another is compared at once")
    func large() {
        let old = (0..<20_000).map { "old \($0)" }
        let new = (0..<20_000).map { "new \($0)" }
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(UnifiedDiff(from: [], to: new).lines.count == 20_001)
            #expect(UnifiedDiff(from: old, to: []).lines.count == 20_001)
            #expect(UnifiedDiff(from: old, to: new).lines.count == 40_001)
            #expect(UnifiedDiff(from: old, to: old + ["x"]).lines.count == 5)
        }
        #expect(time < .seconds(5))
    }

    @Test(
        "lines of a text",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("a\n\n", ["a", ""]),
            ("a\r\nb\r\n", ["a\r", "b\r"]),
        ])
    func lines(text: String, expected: [String]) {
        #expect(text.linesOfText == expected)
    }
}
