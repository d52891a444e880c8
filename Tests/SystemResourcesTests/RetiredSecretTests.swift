import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Secrets that a file loses")
struct RetiredSecretTests {
    private static func password(_ secret: String, _ rest: String = "") -> MaskedText {
        var text: MaskedText = "password: "
        text.append(Secret(secret))
        text.append("\n" + rest)
        return text
    }

    private static let rows: [(old: String, new: MaskedText, isPublic: Bool, isRetired: Bool)] = [
        ("password: old\n", password("new"), true, true),
        ("password: new\nport: 1\n", password("new", "port: 2\n"), false, false),
        ("password: new\n", password("new", "port: 2\n"), false, false),
        ("port: 2\n", password("new", "port: 2\n"), false, false), ("", password("new"), false, false),
        // What keepalived had from earlier versions.
        ("a {\n    auth_type PASS\n    auth_pass 6b9d9761\n}\nvip\n", "vip\n", false, true),
        ("a {\n    priority 100\n}\n# x\n", "vip\n", false, false),
        ("PasswordAuthentication yes\n", "PasswordAuthentication no\n", true, false),
        ("\"app\" \"x\"\n\"gone\" \"y\"\n", "\"app\" \"x\"\n", false, true),
        ("password: new\nurl: http://me:pw@host/\n", password("new"), false, true),
        ("password: new\n  - x=SCRAM-SHA-256$4096\n", password("new"), false, true),
        ("[s]\nhost = a\n* = b\n; old\n", "[s]\n", false, false),
        ("{\"k\": 1}\n", "{\"k\": 2}\n", false, true),
    ]

    @Test("are recognised by the removed lines", arguments: rows)
    func decides(old: String, new: MaskedText, isPublic: Bool, isRetired: Bool) {
        #expect(RetiredSecret.mayBe(in: old, replacedBy: new, isPublic: isPublic) == isRetired, "\(old)")
    }

    private func script(
        of resource: some Resource, over old: String, mode: FileMode, new: String = ""
    ) throws -> String {
        var facts = Facts()
        facts.record(.file(mode), to: FileStatus("/f"))
        facts.record(.text(old), to: PathEntry("/f"))
        facts.record(.different(old), to: FileContent("/f", expected: new))
        return try only(resource.changes(given: facts, after: PendingEffects())).script.reveal()
    }

    @Test("are purged before the file is replaced, if everybody could read it or not", arguments: [0o640, 0o644])
    func order(mode: FileMode) throws {
        let (block, line) = ("# BEGIN drover b\npassword: old\n# END drover b\n", "x\npassword: old\n")
        let isPublic = mode == 0o644
        let scripts = [
            (true, try script(of: Block("b", in: "/f", containing: Self.password("new")), over: block, mode: mode)),
            (!isPublic, try script(of: Block("b", in: "/f", containing: "x"), over: block, mode: mode)),
            (
                true,
                try script(
                    of: Line("password: \(Secret("new"))", in: "/f", replacing: "^password"), over: line, mode: mode)
            ),
            (!isPublic, try script(of: AbsentLines(matching: "^password", in: "/f"), over: line, mode: mode)),
            (
                !isPublic,
                try script(of: File("/f", containing: "x\n", mode: mode), over: line, mode: mode, new: "x\n")
            ),
            // What everybody may read from now on was not for everybody.
            (
                !isPublic,
                try script(of: File("/f", containing: "x\n", mode: 0o644), over: line, mode: mode, new: "x\n")
            ),
            (false, try script(of: Line("y", in: "/f"), over: line, mode: mode)),
        ]
        for (isPurged, script) in scripts {
            let lines = script.linesOfText
            let purge = lines.firstIndex(of: "purge /f")
            #expect((purge != nil) == isPurged, "\(script)")
            let replacement = try #require(lines.firstIndex { $0.hasPrefix("write_file /f ") }, "\(script)")
            if let purge { #expect(purge < replacement) }
        }
    }
}
