import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Authorized keys")
struct AuthorizedKeysTests {
    private static let key = AuthorizedKeys.Key(
        "ssh-ed25519 AAAA ann@desk", options: ["restrict", "from=\"10.0.0.0/8\""])
    private static let line = "restrict,from=\"10.0.0.0/8\" ssh-ed25519 AAAA ann@desk"
    private static let other = "ssh-ed25519 BBBB bob@desk"

    private func found(
        _ lines: [String], directory: FileStatus.Attributes? = .directory(0o700, owner: "ann", group: "ann"),
        file: FileStatus.Attributes? = .file(0o600, owner: "ann", group: "ann")
    ) -> AuthorizedKeysFile.Found {
        .init(
            home: "/home/ann", directory: directory, file: file,
            content: file == nil ? .absent : .text(lines.map { $0 + "\n" }.joined()))
    }

    private func changes(_ keys: AuthorizedKeys, _ found: AuthorizedKeysFile.Found?) throws -> [Change] {
        var facts = Facts()
        facts.record(found, to: AuthorizedKeysFile(of: "ann"))
        return try keys.changes(given: facts, after: PendingEffects())
    }

    @Test("are added beside others, or alone")
    func decides() throws {
        let some = AuthorizedKeys(of: "ann", [Self.key])
        let all = AuthorizedKeys(of: "ann", [Self.key], exclusively: true)
        #expect(try changes(some, found([Self.other, Self.line])).isEmpty)
        #expect(try changes(all, found([Self.line])).isEmpty)
        #expect(try changes(AuthorizedKeys(of: "ann", []), found([], file: nil)).isEmpty)
        let options = try only(changes(some, found([Self.other, "ssh-ed25519 AAAA old"])))
        #expect(options.summary == "write /home/ann/.ssh/authorized_keys")
        #expect(
            options.diff?.text == [
                "@@ -1,2 +1,2 @@", " " + Self.other, "-ssh-ed25519 AAAA old", "+" + Self.line,
            ])
        #expect(
            try only(changes(all, found([Self.other, Self.line]))).diff?.text == [
                "@@ -1,2 +1,1 @@", "-" + Self.other, " " + Self.line,
            ])
        #expect(try only(changes(some, nil)).summary == "write ~ann/.ssh/authorized_keys")
        for wrong in [
            found([Self.line], file: .file(0o644, owner: "ann")), found([Self.line], file: .file(0o600)),
            found([Self.line], directory: .directory(0o755, owner: "ann")),
            found([Self.line], directory: .other("symbolic link")),
        ] {
            #expect(try only(changes(some, wrong)).summary == "set owner and mode of /home/ann/.ssh/authorized_keys")
        }
        #expect(throws: NoPublicKey.self) { try changes(AuthorizedKeys(of: "ann", ["AAAA"]), nil) }
    }

    /// A host with one user: the one that runs the test.
    private struct Sample {
        let directory: TemporaryDirectory
        let user: String

        init(_ files: [String: String] = [:]) async throws {
            directory = try TemporaryDirectory(files.merging(["home/.profile": ""]) { $1 })
            user = try await ShellRun.of("id -un").output.linesOfText[0]
        }

        var home: String { directory.path + "/home" }
        var passwd: String { "\(user):x:1000:1000::\(home):/bin/sh" }

        func observe() async throws -> Facts {
            let question = AuthorizedKeysFile(of: user)
            let passwd = try TemporaryDirectory(["passwd": "\(passwd)\n"])
            let script = AuthorizedKeysFile.script(for: [question])
                .reveal().replacing("/etc/passwd", with: passwd.path + "/passwd")
            var facts = Facts()
            try facts.read(await ShellRun.of(script).output, for: [question])
            return facts
        }

        func ensure(_ keys: AuthorizedKeys) async throws -> ShellRun {
            try await run(changes(keys))
        }

        /// What some lists of one play change, decided by one look at the host.
        func changes(_ lists: AuthorizedKeys...) async throws -> [Change] {
            let facts = try await observe()
            var pending = PendingEffects()
            var changes: [Change] = []
            for list in lists {
                let next = try list.changes(given: facts, after: pending)
                pending.add(next)
                changes += next
            }
            return changes
        }

        func run(_ changes: [Change], with programs: [String: String] = [:]) async throws -> ShellRun {
            let user = ["getent": "echo \(ShellText.quoting(passwd))", "runuser": "shift 3; exec \"$@\""]
            return try await HostShell.run(changes, with: user.merging(programs) { $1 })
        }
    }

    @Test("are written with right modes, and then are as declared")
    func writes() async throws {
        let sample = try await Sample()
        let keys = AuthorizedKeys(of: sample.user, [Self.key, "ssh-rsa CCCC it's"])
        #expect(try await sample.ensure(keys) == .silent)
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys") == "\(Self.line)\nssh-rsa CCCC it's\n")
        #expect(
            try await ShellRun.of("cd \(sample.home); stat -c %a .ssh .ssh/*; ls -A .ssh").output
                == "700\n600\nauthorized_keys\n")
        #expect(try await sample.changes(keys).isEmpty)
        _ = try await ShellRun.of("cd \(sample.home)/.ssh; echo '\(Self.other)' >>authorized_keys; chmod 755 . *")
        let fewer = AuthorizedKeys(of: sample.user, [])
        #expect(try await sample.ensure(fewer) == .silent)
        #expect(try fewer.changes(given: await sample.observe(), after: PendingEffects()).isEmpty)
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys").linesOfText.count == 3)
        let alone = AuthorizedKeys(of: sample.user, [Self.key], exclusively: true)
        #expect(try await sample.ensure(alone) == .silent)
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys") == Self.line + "\n")
        #expect(try alone.changes(given: await sample.observe(), after: PendingEffects()).isEmpty)
        #expect(try await sample.ensure(AuthorizedKeys(of: sample.user, [], exclusively: true)) == .silent)
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys") == "")
    }

    @Test("nothing is left beside them by one that is ended while it writes")
    func ended() async throws {
        let sample = try await Sample()
        let changes = try await sample.changes(AuthorizedKeys(of: sample.user, [Self.key]))
        let run = try await sample.run(changes, with: ["sync": "ls \(sample.home)/.ssh; kill -TERM $PPID"])
        #expect(run.status == 143)
        #expect(run.output.wholeMatch(of: /authorized_keys\.drover\.[^\n]{6}\n/) != nil, "\(run)")
        #expect(try await ShellRun.of("ls -A \(sample.home)/.ssh").output == "")
    }

    @Test("a link in place of the file is refused: it may lead anywhere")
    func link() async throws {
        let sample = try await Sample(["home/.ssh/x": "", "shadow": "secret\n"])
        let keys = AuthorizedKeys(of: sample.user, [Self.key])
        let early = try await sample.changes(keys)
        _ = try await ShellRun.of("ln -s ../../shadow \(sample.home)/.ssh/authorized_keys")
        for (changes, sentence) in [
            (early, "\(sample.home)/.ssh/authorized_keys is a link\n"),
            (try await sample.changes(keys), "a symbolic link to ../../shadow"),
        ] {
            let run = try await sample.run(changes)
            #expect(run.status == 1)
            #expect(run.output.contains(sentence), "\(run.output)")
            #expect(!"\(changes)".contains("secret"))
        }
        #expect(try sample.directory.text(of: "shadow") == "secret\n")
    }

    @Test(
        "two lists of one play both stay, and what came after the look is not overwritten", arguments: [nil, "theirs"])
    func together(old: String?) async throws {
        let sample = try await Sample(old.map { ["home/.ssh/authorized_keys": $0] } ?? [:])
        let lists = ["ssh-rsa AAAA a", "ssh-rsa BBBB b"].map { AuthorizedKeys(of: sample.user, [.init($0)]) }
        let changes = try await sample.changes(lists[0], lists[1])
        #expect(try await sample.run(changes) == .silent)
        let expected = (old.map { $0 + "\n" } ?? "") + "ssh-rsa AAAA a\nssh-rsa BBBB b\n"
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys") == expected)
        #expect(try await sample.changes(lists[0], lists[1]).isEmpty)
        let late = try await sample.run(changes)
        #expect(late.status == 1)
        #expect(late.output.contains("/.ssh/authorized_keys has changed since it was looked at"), "\(late.output)")
        #expect(try sample.directory.text(of: "home/.ssh/authorized_keys") == expected)
    }

    @Test("a user who is missing still when the keys are written is told")
    func missing() async throws {
        let changes = try changes(AuthorizedKeys(of: "ann", [Self.key]), nil)
        let run = try await HostShell.run(changes, with: ["getent": "exit 2"])
        #expect(run.status == 1)
        #expect(run.output == "there is no user ann\n")
    }
}
