import Inventory
import Secrets
import Testing

@testable import Engine

@Suite("Plan")
struct PlanTests {
    private static let write = Change("write f", script: "", effects: [.writes("/f")])
    private static let restart = Change("restart s", script: "", effects: [.starts("s")])

    @Test("a resource knows what those before it are about to do, not those after it")
    func pending() throws {
        let writer = Wish(name: "file", changes: [Self.write])
        let service = Wish(name: "service", dependent: (.writes("/f"), [Self.restart]))
        let condition = Wish(name: "condition", dependent: (.starts("s"), [Change("wait", script: "")]))
        func summaries(_ resources: [any Resource]) throws -> [String] {
            try HostPlan(for: resources, on: .named("h"), given: Facts()).steps.map(\.change.summary)
        }
        #expect(try summaries([writer, service, condition]) == ["write f", "restart s", "wait"])
        #expect(try summaries([condition, service, writer]) == ["write f"])
        #expect(try summaries([service]) == [])
    }

    @Test("effects of paths", arguments: [("/etc/x.service", true), ("/etc/x", true), ("/etc/y", false)])
    func under(prefix: String, expected: Bool) {
        let pending = PendingEffects([.writes("/etc/x.service.d/a.conf"), .starts("/etc/y")])
        #expect(pending.writesFile(under: prefix) == expected)
    }

    @Test("a step knows the line of the playbook that declares its resource")
    func source() throws {
        let line = #line + 2
        let play = Play("P", on: []) { _ in
            Wish(name: "file", changes: [Self.write])
            [Wish(name: "list", changes: [Self.write])] as [any Resource]
        }
        let steps = try HostPlan(for: play.resources(on: .named("h")), on: .named("h"), given: Facts()).steps
        #expect(steps.map(\.source) == ["EngineTests/PlanTests.swift:\(line)", nil])
    }

    @Test("counts steps, and tells each notice once a host")
    func plan() throws {
        let hosts = [Host.named("a"), Host.named("b")]
        let play = Play("P", on: hosts) { host in
            Wish(name: "one", changes: host.name == "a" ? [Self.write, Self.restart] : [], notices: ["n"])
            Wish(name: "two", notices: ["n", "m"])
        }
        let plan = try Plan([play, play], observed: Observations())
        #expect(plan.hasChanges)
        #expect(plan.stepCount == 4)
        #expect(plan.notices.map { "\($0.hosts.joined()) \($0.text)" } == ["ab n", "ab m"])
        #expect(plan.stages[0].hosts.map(\.resourceCount) == [2, 2])
        #expect(try !Plan([], observed: Observations()).hasChanges)
    }

    @Test("resources are built with if, for and lists")
    func builder() throws {
        let play = Play("P", on: []) { host in
            if host.name == "a" { Wish(name: "only a") } else { Wish(name: "not a") }
            for number in 1...2 { Wish(name: "\(number)") }
            if host.name == "b" { Wish(name: "b") }
            [Wish(name: "list")] as [any Resource]
        }
        #expect(try play.resources(on: .named("a")).map(\.name) == ["only a", "1", "2", "list"])
        #expect(try play.resources(on: .named("b")).map(\.name) == ["not a", "1", "2", "b", "list"])
    }
}
