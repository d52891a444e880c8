import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("apt repository")
struct AptRepositoryTests {
    private static let armored = """
        -----BEGIN PGP PUBLIC KEY BLOCK-----

        mDMEZ0AAAB
        =abcd
        -----END PGP PUBLIC KEY BLOCK-----

        """
    private static let path = "/etc/apt/sources.list.d/pgdg.sources"

    private func repository(_ key: AptKey?) throws -> AptRepository {
        try AptRepository(
            "pgdg", at: ["https://apt.example.org/apt"], suites: ["bookworm-pgdg"], components: ["main", "16"],
            signedBy: key, architectures: ["amd64"])
    }

    private func change(_ repository: AptRepository, text: String) throws -> Change {
        var facts = Facts()
        facts.record(nil, to: FileStatus(Self.path))
        facts.record(.absent, to: FileContent(Self.path, expected: text))
        return try only(repository.changes(given: facts, after: .init()))
    }

    private static let text = """
        Types: deb
        URIs: https://apt.example.org/apt
        Suites: bookworm-pgdg
        Components: main 16
        Architectures: amd64
        Signed-By:
         -----BEGIN PGP PUBLIC KEY BLOCK-----
         .
         mDMEZ0AAAB
         =abcd
         -----END PGP PUBLIC KEY BLOCK-----

        """

    @Test("is one file with its key")
    func decides() throws {
        let change = try change(repository(AptKey(armored: "a comment\n" + Self.armored)), text: Self.text)
        #expect(change.summary == "write \(Self.path)")
        let unsigned = Self.text.linesOfText.prefix(5).map { $0 + "\n" }.joined()
        #expect(try self.change(repository(nil), text: unsigned).effects == [.writes(Self.path)])
    }

    @Test("apt reads it before it takes its place", arguments: [0, 100])
    func reads(status: Int) async throws {
        let directory = try TemporaryDirectory()
        var change = try change(repository(AptKey(armored: Self.armored)), text: Self.text)
        change.script = .init(
            trusted: "chown() { :; }\n"
                + change.script.reveal().replacing("/etc/apt/sources.list.d/", with: directory.path + "/"),
            because: "a test runs it")
        let apt = """
            for word; do case $word in Dir::Etc::SourceParts=*) cat "${word#*=}"/drover.sources ;; esac; done
            echo "apt-get $3 $4"; exit \(status)
            """
        let run = try await HostShell.run([change], with: ["apt-get": apt])
        #expect(run.status == (status == 0 ? 0 : 1))
        #expect(run.output == Self.text + "apt-get -o Dir::Etc::SourceList=/dev/null\n")
        #expect(try directory.names == (status == 0 ? ["pgdg.sources"] : []))
    }

    @Test("keys of both forms, from files of the controller")
    func keys() async throws {
        let directory = try TemporaryDirectory(["key.asc": Self.armored, "none": "x", "empty": ""])
        #expect(try AptKey(file: "\(directory.path)/key.asc") == AptKey(armored: Self.armored))
        _ = try await ShellRun.of("printf '\\230\\063\\004' >\(directory.path)/key.gpg")
        #expect(
            try AptKey(file: "\(directory.path)/key.gpg").lines == [
                "-----BEGIN PGP PUBLIC KEY BLOCK-----", "", "mDME", "-----END PGP PUBLIC KEY BLOCK-----",
            ])
        for name in ["none", "empty", "missing"] {
            #expect(throws: Diagnostic.self) { try AptKey(file: "\(directory.path)/\(name)") }
        }
    }

    @Test(
        "wrong parameters are told",
        arguments: [
            ("a b", ["https://h"], ["s"], ["main"]), ("x", [], ["s"], ["main"]), ("x", ["h"], ["s"], ["main"]),
            ("x", ["https://h"], [], ["main"]), ("x", ["https://h"], ["s"], []), ("x", ["https://h"], ["./"], ["main"]),
            ("x", ["https://h"], ["s t"], ["main"]), ("x", ["https://h"], ["s"], [""]),
        ] as [(String, [String], [String], [String])])
    func wrong(name: String, uris: [String], suites: [String], components: [String]) {
        #expect(throws: Diagnostic.self) {
            try AptRepository(name, at: uris, suites: suites, components: components, signedBy: nil)
        }
    }
}
