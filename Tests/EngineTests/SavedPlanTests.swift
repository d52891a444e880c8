import Diagnostics
import Inventory
import Secrets
import Testing

@testable import Engine

@Suite("Saved plan")
struct SavedPlanTests {
    /// What one host says, and what is wanted of it.
    private func observation(_ answer: String, summary: String = "write f", name: String = "file /f") throws
        -> Observation
    {
        let host = Host.named("h")
        let script: ShellText = "echo \(quoting: Secret("hunter2"))"
        let change = Change(summary, diff: UnifiedDiff(from: "a\n", to: "b\n"), script: script)
        let play = Play("P", on: [host]) { _ in
            Wish(name: name, questions: [Echo(text: "q")], changes: [change])
            Wish(name: "converged", questions: [Echo(text: "p")])
        }
        var facts = Facts()
        facts.record(answer, to: Echo(text: "q"))
        facts.record("same", to: Echo(text: "p"))
        let observed = Observations(["h": facts])
        return Observation(plan: try Plan([play], observed: observed), observed: observed)
    }

    private func saved(_ observation: Observation) throws -> SavedPlan {
        let plan = try SavedPlan(observation, playbook: "deploy", arguments: ["-i", "hosts.yml"])
        return try SavedPlan(json: plan.json, name: "p.json")
    }

    @Test("reads what it wrote, always the same, and without secrets")
    func roundTrip() throws {
        let plan = try SavedPlan(observation("x"), playbook: "deploy", arguments: ["-i", "hosts.yml"])
        #expect(try SavedPlan(json: plan.json, name: "p.json") == plan)
        #expect(try SavedPlan(observation("x"), playbook: "deploy", arguments: ["-i", "hosts.yml"]).json == plan.json)
        #expect(try !plan.json.contains("hunter2"))
        #expect(try plan.json.contains("\"+b\""))
        #expect(try plan.json.contains("\"format\" : 1"))
    }

    @Test("is good as long as nothing has moved")
    func good() throws {
        try saved(observation("x")).check(against: observation("x"))
    }

    @Test("names the host and the resource that have moved")
    func moved() throws {
        let plan = try saved(observation("x"))
        let stale = #expect(throws: StalePlan.self) { try plan.check(against: observation("y")) }
        #expect(stale?.differences == [.init(host: "h", resource: "file /f", isDeclaration: false)])
        #expect(stale?.description.contains("h: file /f has changed since the plan was saved") == true)
    }

    @Test("is stale as well when something else is declared")
    func declared() throws {
        let plan = try saved(observation("x"))
        let other = #expect(throws: StalePlan.self) { try plan.check(against: observation("x", summary: "write g")) }
        #expect(other?.differences == [.init(host: "h", resource: "file /f", isDeclaration: true)])
        let renamed = #expect(throws: StalePlan.self) { try plan.check(against: observation("x", name: "file /g")) }
        #expect(renamed?.differences.map(\.resource) == ["file /f", "file /g"])
    }

    @Test("is refused in another form", arguments: ["", "[]", "{}", "{\"format\": 2}", "{\"format\": 1}"])
    func form(json: String) {
        #expect(throws: Diagnostic.self) { try SavedPlan(json: json, name: "p.json") }
    }

    @Test("only its steps are approved")
    func approved() throws {
        let plan = try observation("x").plan
        let approved = ApprovedSteps(plan)
        let steps = plan.stages[0].hosts[0].steps
        #expect(approved.strange(steps, in: plan.stages[0].play, on: .named("h")) == [])
        #expect(approved.strange(steps, in: plan.stages[0].play, on: .named("i")) == ["file /f: write f"])
    }

    @Test(
        "the essence of equal values is the same text",
        arguments: [
            (Set(["a", "b", "c"]) as any Sendable, "{\"a\",\"b\",\"c\"}"), (["b": 1, "a": 2], "{[\"a\",2],[\"b\",1]}"),
            (Optional("x"), "\"x\""), (Optional<String>.none, "nil"), ([1, 2], "[1,2]"), (HostPhase.waiting, "waiting"),
            (HostPhase.waitingForLock(holder: "x"), "(waitingForLock:[\"x\"])"),
        ] as [(any Sendable, String)])
    func essence(value: any Sendable, expected: String) {
        #expect(Essence.text(of: value) == expected)
    }
}
