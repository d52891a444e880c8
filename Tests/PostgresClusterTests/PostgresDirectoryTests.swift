import Engine
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Data directory")
struct PostgresDirectoryTests {
    private static let controldata = """
        #!/bin/sh
        [ -e "$2/global/broken" ] && { echo "pg_controldata: error" >&2; exit 1; }
        echo 'pg_control version number:            1300'
        echo 'Database system identifier:           7301234567890123456'
        echo 'Latest checkpoint location:           0/5000060'
        """

    private static let rows: [(files: [String], expected: PostgresDirectory.Answer)] = [
        (["global/pg_control", "base/1/1"], .initialised(systemIdentifier: "7301234567890123456")),
        (["global/pg_control", "global/broken"], .unreadable),
        (["lost+found/x"], .unreadable),
        (["base/1/1", "PG_VERSION"], .unreadable),
        ([".hidden"], .unreadable),
        (["two words"], .unreadable),
    ]

    @Test("tells what stands there", arguments: rows)
    func tells(files: [String], expected: PostgresDirectory.Answer) async throws {
        let path = "it's data"
        let directory = try TemporaryDirectory(
            Dictionary(uniqueKeysWithValues: files.map { ("\(path)/\($0)", "") })
                .merging(["bin/pg_controldata": Self.controldata]) { old, _ in old })
        _ = try await ShellRun.of("chmod +x \(directory.path)/bin/*; mkdir \(directory.path)/empty")
        let questions = ["/none", "/\(path)", "/empty"].map {
            PostgresDirectory(directory.path + $0, binaryDirectory: directory.path + "/bin")
        }
        let run = try await ShellRun.of(PostgresDirectory.script(for: questions).reveal())
        let answers = try PostgresDirectory.answers(to: questions, from: run.output)
        #expect(questions.map { answers[$0] } == [.empty, expected, .empty])
    }

    @Test("what cannot be read", arguments: ["", "system\n", "foo\n", "empty\nempty\n"])
    func garbled(output: String) {
        #expect(throws: UnreadableAnswer.self) {
            try PostgresDirectory.answers(to: [PostgresDirectory("/d", binaryDirectory: "/b")], from: output)
        }
    }
}
