import Inventory
import Secrets
import Testing

@testable import Engine
@testable import DroverCLI

@Suite("Plan text")
struct PlanTextTests {
    private func lines(_ plays: [Play], showsDiffs: Bool = false, isColoured: Bool = false) throws -> [String] {
        let plan = try Engine.Plan(plays, observed: Observations())
        return PlanText(plan: plan, style: Style(isColoured: isColoured), showsDiffs: showsDiffs).lines
    }

    private func play(_ name: String, _ wishes: [String: [Wish]]) -> Play {
        Play(name, on: wishes.keys.sorted().map { .named($0) }) { host in
            for wish in wishes[host.name] ?? [] { wish }
        }
    }

    @Test("nothing to change")
    func nothing() throws {
        #expect(try lines([]) == ["Nothing to change."])
        let quiet = play("Quiet", ["a": [Wish(name: "x", notes: ["read-only here"])]])
        #expect(try lines([quiet, quiet]) == ["note a: read-only here", "Nothing to change."])
    }

    @Test("the same change on several hosts stands once, with their names")
    func groups() throws {
        let install = Wish(name: "packages", wanted: [Change("install curl", script: "")])
        func file(_ text: String) -> Wish { Wish(name: "file /f", wanted: [.writing("/f", to: text)]) }
        let plays = [
            play("Install", ["a": [install], "b": [install], "c": []]),
            play("Quiet", ["a": [Wish(name: "x")]]),
            play("Configure", ["a": [file("one\n")], "b": [file("two\n")], "c": [file("one\n")]]),
        ]
        #expect(
            try lines(plays, showsDiffs: true) == [
                "",
                "Install",
                "  ~ install curl  a b",
                "",
                "Configure",
                "  ~ write /f  a c",
                "      @@ -0,0 +1,1 @@",
                "      +one",
                "  ~ write /f  b",
                "      @@ -0,0 +1,1 @@",
                "      +two",
                "",
                "5 changes on 3 hosts.",
            ])
        #expect(try lines(plays).filter { $0.hasPrefix("      ") } == [])
    }

    @Test("what destroys something tells the words that approve it, unless there is nothing to do")
    func confirmation() throws {
        let confirmation = Confirmation(name: "lab", identity: "7")
        func last(_ plays: [Play]) throws -> String? {
            let plan = try Engine.Plan(plays, observed: Observations(), confirmation: confirmation)
            return PlanText(plan: plan, style: Style(isColoured: false), showsDiffs: false).lines.last
        }
        let wait = Wish(name: "w", wanted: [Change("wait", script: "")])
        #expect(
            try last([play("Wait", ["a": [wait]])])
                == "This destroys 'lab'. To approve it without a terminal: --confirm lab@7")
        #expect(try last([]) == "Nothing to change.")
    }

    @Test("a change that a host has twice stands twice")
    func twice() throws {
        let wait = Wish(name: "w", wanted: [Change("wait", script: ""), Change("wait", script: "")])
        #expect(
            try lines([play("Wait", ["a": [wait], "b": [wait]])]) == [
                "", "Wait", "  ~ wait  a b", "  ~ wait  a b", "", "4 changes on 2 hosts.",
            ])
    }

    @Test(
        "each kind of change has a sign and a colour of its own",
        arguments: [
            (Change.Kind.create, "+", "32"), (.change, "~", "33"), (.remove, "-", "31"), (.restart, "↻", "35"),
            (.stop, "■", "31"), (.wait, "…", "2"),
        ])
    func signs(kind: Change.Kind, sign: String, colour: String) throws {
        let plays = [play("P", ["a": [Wish(name: "x", wanted: [Change("do it", kind, script: "")])]])]
        #expect(try lines(plays)[2] == "  \(sign) do it  a")
        #expect(
            try lines(plays, isColoured: true)[2]
                == "  \u{1b}[\(colour)m\(sign)\u{1b}[0m do it  \u{1b}[2ma\u{1b}[0m")
    }

    @Test("owner, group and mode stand with the change, and tell changes apart")
    func ownership() throws {
        func file(_ ownership: String) -> Wish {
            Wish(name: "file /f", wanted: [Change("write /f", .create, ownership: ownership, script: "")])
        }
        #expect(
            try lines([play("P", ["a": [file("root:root 0644")], "b": [file("www-data:root 0600")]])])[2...3] == [
                "  + write /f  a  root:root 0644", "  + write /f  b  www-data:root 0600",
            ])
    }

    @Test("a single change")
    func single() throws {
        let text = try lines([play("One", ["a": [Wish(name: "x", wanted: [Change("do it", script: "")])]])])
        #expect(text.last == "1 change on 1 host.")
    }

    @Test("lines of a diff are coloured")
    func colours() throws {
        let wish = Wish(name: "f", wanted: [.writing("/f", from: "a\nb\n", to: "a\nc\n")])
        let text = try lines([play("P", ["a": [wish]])], showsDiffs: true, isColoured: true)
        #expect(
            text.dropFirst(3).prefix(4) == [
                "      \u{1b}[36m@@ -1,2 +1,2 @@\u{1b}[0m", "       a", "      \u{1b}[31m-b\u{1b}[0m",
                "      \u{1b}[32m+c\u{1b}[0m",
            ])
    }
}
