import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("User")
struct UserTests {
    private struct Row: Sendable {
        var user: User
        var entry: UserEntry.Entry?
        var hasHome = true
        var summaries: [String] = []
        /// What is called, and what it reads.
        var commands: [String] = []
    }

    private static let app = User("app", home: "/var/lib/it's", shell: "/bin/sh")
    private static let ann = UserEntry.Entry(
        uid: 1000, group: "ann", groups: ["audio", "sudo"], password: Secret("$y$hash"), comment: "Ann",
        home: "/home/ann", shell: "/bin/bash")

    private static func changed(_ change: (inout UserEntry.Entry) -> Void) -> UserEntry.Entry {
        var entry = ann
        change(&entry)
        return entry
    }

    private static let systemRows: [Row] = [
        Row(user: app, entry: .init(uid: 900, group: "app", home: "/var/lib/it's", shell: "/bin/sh")),
        Row(
            user: app, summaries: ["add user app"],
            commands: [
                "getent group -- app",
                "useradd --gid app --system --no-create-home --home-dir /var/lib/it's --shell /bin/sh -- app",
            ]),
        Row(
            user: app, entry: .init(uid: 900, group: "app", home: "/", shell: "/bin/sh"),
            summaries: ["set home / → /var/lib/it's of user app"], commands: ["usermod --home /var/lib/it's -- app"]),
        Row(
            user: User("app", uid: 900, group: "web", groups: .exactly(["ssl-cert"]), comment: "", makesHome: true),
            entry: .init(
                uid: 901, group: "app", groups: ["a", "b"], comment: "x", home: "/nonexistent",
                shell: "/usr/sbin/nologin"),
            summaries: [
                "set number 901 → 900, group app → web, groups a,b → ssl-cert, comment x → none of user app"
            ],
            commands: ["usermod --uid 900 --gid web --groups ssl-cert --comment  -- app"]),
        Row(
            user: User("app", uid: 900, group: "web", groups: .atLeast(["a", "b"])), summaries: ["add user app"],
            commands: [
                "useradd --gid web --system --uid 900 --groups a,b --no-create-home --home-dir /nonexistent "
                    + "--shell /usr/sbin/nologin -- app"
            ]),
    ]

    private static let loginRows: [Row] = [
        Row(user: User(login: "ann", groups: .atLeast(["sudo"]), password: Secret("$y$hash")), entry: ann),
        Row(user: User(login: "ann", groups: .atLeast(["ann"])), entry: ann),
        Row(user: User(login: "ann", groups: .exactly(["sudo", "audio"]), isLocked: false), entry: ann),
        Row(
            user: User(login: "ann", groups: .atLeast(["sudo", "adm"]), home: "/usr", shell: "/bin/zsh"),
            entry: ann,
            hasHome: false,
            summaries: ["set groups + adm, home /home/ann → /usr, shell /bin/bash → /bin/zsh of user ann"],
            commands: ["usermod --append --groups adm --move-home --home /usr --shell /bin/zsh -- ann"]),
        Row(
            user: User(login: "ann", groups: .exactly([])), entry: ann,
            summaries: ["set groups audio,sudo → none of user ann"], commands: ["usermod --groups  -- ann"]),
        Row(
            user: User(login: "ann", password: Secret("$y$new")), entry: ann,
            summaries: ["set the password of user ann"], commands: ["chpasswd --encrypted", "ann:$y$new"]),
        Row(
            user: User(login: "ann", password: Secret("$y$hash"), isLocked: true), entry: ann,
            summaries: ["set the password of user ann, locked"], commands: ["chpasswd --encrypted", "ann:!$y$hash"]),
        Row(
            user: User(login: "ann", password: Secret("$y$hash")), entry: changed { $0.password = Secret("!$y$hash") },
            summaries: ["set the password of user ann"], commands: ["chpasswd --encrypted", "ann:$y$hash"]),
        Row(
            user: User(login: "ann", isLocked: true), entry: ann, summaries: ["lock the password of user ann"],
            commands: ["usermod --lock -- ann"]),
        Row(user: User(login: "ann", isLocked: true), entry: changed { $0.password = Secret("*") }),
        Row(
            user: User(login: "ann", isLocked: false), entry: changed { $0.password = Secret("!$y$hash") },
            summaries: ["unlock the password of user ann"], commands: ["usermod --unlock -- ann"]),
        Row(user: User(login: "ann", isLocked: false), entry: changed { $0.password = Secret("!") }),
        Row(user: User(login: "ann"), entry: changed { $0.password = Secret("!$y$hash") }),
    ]

    /// Tells what it is called with; getent finds the group that it is asked for.
    private static let programs = Dictionary(
        uniqueKeysWithValues: ["useradd", "usermod"].map { ($0, "echo \($0) \"$@\"") }
            + [("chpasswd", "echo chpasswd \"$@\"; cat"), ("getent", "echo getent \"$@\" >&2")])

    @Test("is added or set right", arguments: systemRows + loginRows)
    private func decides(row: Row) async throws {
        let changes = try changes(row)
        #expect(changes.map(\.summary) == row.summaries)
        let run = try await HostShell.run(changes, with: Self.programs)
        #expect((run.errorOutput + run.output).linesOfText == row.commands)
    }

    private func changes(_ row: Row) throws -> [Change] {
        var facts = Facts()
        for question in row.user.questions {
            switch question {
            case let user as UserEntry: facts.record(row.entry, to: user)
            case let home as FileStatus: facts.record(row.hasHome ? .directory() : nil, to: home)
            default: Issue.record("an unknown question \(question)")
            }
        }
        return try row.user.changes(given: facts, after: PendingEffects())
    }

    @Test("gets a group of its own when there is none of its name")
    func ownGroup() async throws {
        let change = try only(changes(Row(user: User("app"))))
        let run = try await HostShell.run([change], with: ["useradd": "echo \"$1\"", "getent": "exit 2"])
        #expect(run.output == "--user-group\n")
    }

    @Test("a hash of a password is seen by nobody, and a password in place of its hash is refused")
    func password() throws {
        let row = Row(user: User(login: "ann", password: Secret("$6$canary")), entry: Self.ann)
        let change = try only(changes(row))
        #expect(!"\(change) \(change.script)".contains("canary"))
        #expect(!"\(change) \(change.script)".contains("$y$"))
        for wrong in ["open", "$y$hash\nroot:$y$mine", "$y$hash:0:0", "!$y$hash", "$y$ hash"] {
            let row = Row(user: User(login: "ann", password: Secret(wrong)))
            #expect(throws: NoPasswordHash.self, "\(wrong)") { try changes(row) }
        }
    }

    @Test("makes a home of the skeleton")
    func home() async throws {
        let directory = try TemporaryDirectory(["skel/.profile": "x", "skel/d/f": "y"])
        let home = directory.path + "/it's home"
        let row = Row(user: User(login: "ann", home: home), hasHome: false)
        var changes = try changes(row)
        #expect(changes.map(\.summary) == ["add user ann", "make home \(home) of user ann"])
        let script = changes[1].script.reveal().replacing("/etc/skel", with: directory.path + "/skel")
        changes = [Change("", script: .init(trusted: script, because: "a test runs it"))]
        let run = try await HostShell.run(changes, with: ["id": "command -p id \"$1\""])
        #expect(run == .silent)
        #expect(try directory.text(of: "it's home/d/f") == "y")
        #expect(try directory.names == ["it's home", "skel"])
        #expect(try await ShellRun.of("stat -c %a \(ShellText.quoting(home))").output == "700\n")
    }

    @Test("makes a home where there was none to move")
    func movedHome() async throws {
        let directory = try TemporaryDirectory(["skel/f": "x"])
        let home = directory.path + "/home"
        let change = try only(changes(Row(user: User(login: "ann", home: home), entry: Self.ann, hasHome: false)))
        let script = change.script.reveal().replacing("/etc/skel", with: directory.path + "/skel")
        let run = try await HostShell.run(
            [Change("", script: .init(trusted: script, because: "a test runs it"))],
            with: ["usermod": ":", "id": "command -p id \"$1\""])
        #expect(run == .silent)
        #expect(try directory.text(of: "home/f") == "x")
    }

    @Test("users and groups are read from the host's own files")
    func facts() async throws {
        let directory = try TemporaryDirectory([
            "passwd": "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann,,,:/home/ann:/bin/sh\nb:x:7:99::/:\n",
            "shadow": "root:$y$r:1::::::\nann:$y$x/.:1:0:::::\n",
            "group": "root:x:0:\nadm:x:4:root,ann\nann:x:1000:\nsudo:x:27:anna,ann\nother:x:1000:\n",
        ])
        func ask<F: Fact>(_ questions: [F]) async throws -> [F: F.Answer] {
            let script = F.script(for: questions).reveal().replacing("/etc/", with: directory.path + "/")
            return try F.answers(to: questions, from: await ShellRun.of(script).output)
        }
        let users = try await ask(["ann", "b", "none"].map(UserEntry.init))
        #expect(
            users == [
                UserEntry("ann"): .init(
                    uid: 1000, group: "ann", groups: ["adm", "sudo"], password: Secret("$y$x/."), comment: "Ann,,,",
                    home: "/home/ann", shell: "/bin/sh"),
                UserEntry("b"): .init(uid: 7, group: "99", password: Secret(""), home: "/", shell: ""),
                UserEntry("none"): nil,
            ])
        let groups = try await ask(["sudo", "none", "do"].map(GroupEntry.init))
        #expect(groups == [GroupEntry("sudo"): 27, GroupEntry("none"): nil, GroupEntry("do"): nil])
        #expect(throws: UnreadableAnswer.self) { try UserEntry.answers(to: [], from: "a:b") }
    }

    @Test(
        "a group is added or set right",
        arguments: [
            (Group("web"), nil, "add group web", "groupadd -- web"),
            (Group("web", gid: 900, isSystem: true), nil, "add group web", "groupadd --system --gid 900 -- web"),
            (Group("web", gid: 900), 7, "set number 7 → 900 of group web", "groupmod --gid 900 -- web"),
            (Group("web", gid: 900), 900, "", ""), (Group("web"), 7, "", ""),
        ] as [(Group, Int?, String, String)])
    func group(group: Group, gid: Int?, summary: String, script: String) throws {
        var facts = Facts()
        facts.record(gid, to: GroupEntry("web"))
        let changes = try group.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary).joined() == summary)
        #expect(changes.map { $0.script.reveal() }.joined() == script)
    }
}
