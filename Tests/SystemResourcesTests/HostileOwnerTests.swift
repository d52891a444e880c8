import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// Whatever the owner of a directory does meanwhile, root changes nothing and tells nothing beyond what the owner may.
@Suite("Files of other owners", .serialized, .enabled(if: HostileOwner.isPossible, "only root can run these"))
struct HostileOwnerTests {
    private static let ownership = Ownership(owner: HostileOwner.user, group: "nogroup", mode: 0o644)

    private static func attributes(_ kind: FileStatus.Attributes.Kind) -> FileStatus.Attributes {
        .init(kind: kind, mode: 0o600, owner: "root", group: "root", modified: Timestamp(nanoseconds: 0))
    }

    /// The script of the only change of a resource, given what was found before the attack.
    private static func script(_ resource: some Resource, _ record: (inout Facts) -> Void) throws -> String {
        var facts = Facts()
        record(&facts)
        let changes = try resource.changes(given: facts, after: PendingEffects())
        return try #require(changes.first).script.reveal()
    }

    /// The script that unpacks `home/d/f` and `f`.
    private static func archive(into directory: String) async throws -> String {
        let source = try TemporaryDirectory(["home/d/f": "new\n", "f": "new\n"])
        let packed = try await ShellRun.of("cd \(source.path) && tar -czf x.tar.gz home f")
        try #require(packed == .silent)
        let origin = try ArchiveSource.controller("\(source.path)/x.tar.gz")
        let archive = try Archive("x", from: origin, into: directory)
        return try script(archive) {
            $0.record(.absent, to: FileContent(archive.marker, expected: origin.digest + "\n"))
        }
    }

    private static let scripts: [(name: String, script: @Sendable (String) async throws -> String)] = [
        (
            "File",
            { Replacement(path: $0 + "/f", content: "new\n", access: .exactly(ownership)).script.reveal() }
        ),
        ("Block", { Replacement(path: $0 + "/f", content: "new\n", access: .asBefore).script.reveal() }),
        (
            "Directory",
            { path in
                try script(Directory(path + "/sub", owner: "nobody", group: "nogroup")) {
                    $0.record(nil, to: FileStatus(path + "/sub"))
                }
            }
        ),
        ("Ownership", { try #require(ownership.change(of: $0 + "/f", from: attributes(.file))).script.reveal() }),
        (
            "Absent",
            { path in
                try script(Absent(path + "/f")) {
                    $0.record(attributes(.file), to: FileStatus(path + "/f"))
                }
            }
        ),
        (
            "Absent, with all that is in it",
            { path in
                try script(Absent(path + "/tree", recursively: true)) {
                    $0.record(attributes(.directory), to: FileStatus(path + "/tree"))
                }
            }
        ),
        (
            "Link",
            { path in
                try script(Link(path + "/l", to: "elsewhere")) {
                    $0.record(.absent, to: PathEntry(path + "/l"))
                }
            }
        ),
        (
            "AuthorizedKeys",
            { path in
                let resource = AuthorizedKeys(of: HostileOwner.user, ["ssh-ed25519 AAAA a@b"])
                let change = try script(resource) {
                    $0.record(
                        .init(home: path, content: .text("old\n")), to: AuthorizedKeysFile(of: HostileOwner.user))
                }
                return """
                    getent() { echo '\(HostileOwner.user):x:1:1::\(path):/bin/sh'; }
                    $as_owner sh -c 'mkdir -p $1/.ssh; echo old >$1/.ssh/authorized_keys' sh \(path) || :
                    \(change)
                    """
            }
        ),
        ("Archive in a directory of the owner", { path in try await archive(into: path) }),
        (
            "Archive in a directory with one of the owner",
            { path in
                try await archive(into: path.split(separator: "/").dropLast(2).map { "/\($0)" }.joined())
            }
        ),
        (
            "what is kept comes back",
            { path in
                // What a step keeps of the link that stands there, written where its owner can read it.
                """
                rm -f "${kept%/*}/journal"
                keep \(path)/f
                digest=$(sed -n 's/.*file \\([0-9a-f]*\\) .*/\\1/p' "$journal")
                [ -z "$digest" ] || cat "$kept/$digest" | write_file \(path)/f nobody:nogroup 0644 cat ''
                """
            }
        ),
        (
            "a diff",
            { path in
                let question = FileContent(path + "/f", digest: String(repeating: "0", count: 64))
                return "(\n\(FileContent.script(for: [question]))\n) | sed '/^[!=] /d' | base64 -d 2>/dev/null || :"
            }
        ),
    ]

    @Test("links that come and go lead root nowhere", arguments: scripts.indices)
    func attack(index: Int) async throws {
        let (name, script) = Self.scripts[index]
        let owner = try await HostileOwner(canary: ["f", "tree/f", ".ssh/authorized_keys"])
        let before = try await owner.canary()
        let (run, leaks) = try await owner.attack(
            try await script(owner.swapped), times: 15, swapping: [".ssh", ".ssh/authorized_keys"],
            prologue: JournalScript.functions.reveal())
        #expect(run.status == 0, "\(name): \(run)")
        #expect(try await owner.canary() == before, "\(name): \(run.output)")
        #expect(leaks == "", "\(name)")
        #expect(!run.output.contains(HostileOwner.secret), "\(name)")
    }

    @Test("without an attack they do what they are for", arguments: ["f", "deep/er/f"])
    func peace(name: String) async throws {
        let owner = try await HostileOwner(canary: ["f"])
        let path = "\(owner.swapped)/\(name)"
        let run = try await ShellRun.of(
            """
            journal=
            \(JournalScript.functions)
            set -e
            make_directory \(path.dropLast(2)) nobody:nogroup 0750
            \(Replacement(path: path, content: "new\n", access: .exactly(Self.ownership), check: "grep -q new").script.reveal())
            stat -c '%U:%G %a' \(path) \(path.dropLast(2))
            """)
        #expect(run.output == "nobody:nogroup 644\nnobody:nogroup 750\n", "\(run)")
        let refused = try await HostShell.run([
            Change(
                "",
                script: Replacement(
                    path: path, content: "x", access: .exactly(.init(owner: "root", group: "root", mode: 0o644))
                ).script)
        ])
        #expect(refused.status == 1)
        #expect(
            refused.output.contains("is in a directory of nobody, who cannot make root:root its owner"), "\(refused)")
    }
}
