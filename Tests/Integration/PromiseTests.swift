import Foundation
import Testing

/// The engine's promises on bare hosts, each with an attempt to break it.
@Suite("Promises", .lab(of: 2))
struct PromiseTests {
    private var lab: TestLab { TestLab.current }

    // MARK: The plan cannot lie

    @Test("Drover finds and names a resource whose step does not do what it says")
    func liar() async throws {
        let result = try await run("apply", "liar", "--yes")
        #expect(result.status == 8)
        #expect(result.output.contains("lie /etc/drover-lie"))
        let again = try await run("plan", "liar", "--detailed-exitcode")
        #expect(again.status == 2)
        #expect(Steps.planned(in: again.output) == ["pg1: write /etc/drover-lie", "pg2: write /etc/drover-lie"])
    }

    @Test("Drover waits for a condition that fails for a moment, and does not report it as not converged")
    func waver() async throws {
        for host in ["pg1", "pg2"] { try await lab.must(on: host, "touch /run/drover-steady") }
        let plan = "\(lab.folder)/waver.json"
        let saving = try await run("plan", "waver", "-o", plan)
        #expect(Steps.planned(in: saving.output) == ["pg1: disturb", "pg2: disturb"], "\(saving.everything)")
        let result = try await applySaved(plan)
        #expect(result.status == 0, "\(result.everything)")
        #expect(
            Steps.applied(in: result.output)
                == ["pg1: disturb", "pg2: disturb", "pg1: wait until it is steady", "pg2: wait until it is steady"],
            "\(result.everything)")
        expectNothingChanged(try await run("apply", "waver", "--yes"))
    }

    @Test("a later play sees the side effects of an earlier one")
    func sideEffect() async throws {
        let plan = try await run("plan", "side-effect")
        #expect(Steps.planned(in: plan.output).count == 4, "\(plan.everything)")
        let result = try await run("apply", "side-effect", "--yes")
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == ["pg1: make /run/drover-cause", "pg2: make /run/drover-cause"])
    }

    // MARK: Saved plans

    @Test("Drover executes a saved plan exactly, and once")
    func savedPlan() async throws {
        let plan = "\(lab.folder)/plan.json"
        let saving = try await run("plan", "fault-matrix", "--text", "saved", "-o", plan)
        #expect(saving.status == 0, "\(saving.everything)")
        let again = try await run("plan", "fault-matrix", "--text", "saved", "-o", plan + ".again")
        #expect(again.status == 0)
        #expect(
            FileManager.default.contentsEqual(atPath: plan, andPath: plan + ".again"), "the same plan, the same bytes")
        let applying = try await applySaved(plan)
        #expect(applying.status == 0, "\(applying.everything)")
        #expect(Steps.applied(in: applying.output) == Steps.planned(in: saving.output))
        #expect(try await lab.must(on: "pg1", "cat /etc/drover-test/file-1") == "1 says saved\n")
        let stale = try await applySaved(plan)
        #expect(stale.status == 7, "\(stale.everything)")
    }

    @Test("a saved plan takes the login of the command line, and needs no approval that is given")
    func savedPlanWithLogin() async throws {
        let inventory = "\(lab.folder)/keyless.yml"
        let key = "\(lab.folder)/id_ed25519"
        try String(contentsOfFile: lab.plainInventory, encoding: .utf8)
            .replacing("    ansible_ssh_private_key_file: \(key)\n", with: "")
            .write(toFile: inventory, atomically: true, encoding: .utf8)
        let plan = "\(lab.folder)/keyless.json"
        let moved = "\(lab.folder)/moved"
        try FileManager.default.copyItem(atPath: key, toPath: moved)
        let saving = try await Command.run(
            lab.tests(
                "plan", "fault-matrix", "--text", "keyless", "-i", inventory, "-o", plan, "--private-key", moved))
        #expect(saving.status == 0, "\(saving.everything)")
        try FileManager.default.removeItem(atPath: moved)
        let refused = try await applySaved(plan)
        #expect(refused.status == 5, "\(refused.everything)")
        let applying = try await Command.run(
            lab.tests(
                "apply", "--plan", plan, "--yes", "--private-key", key, "--known-hosts", "\(lab.folder)/known_hosts"))
        #expect(applying.status == 0, "\(applying.everything)")
        #expect(Steps.applied(in: applying.output) == Steps.planned(in: saving.output))
    }

    @Test("Drover refuses a saved plan after drift, names the host and the resource, and changes nothing")
    func stalePlan() async throws {
        let base = try await run("apply", "fault-matrix", "--yes", "--text", "base")
        try #require(base.status == 0, "\(base.everything)")
        let plan = "\(lab.folder)/stale.json"
        let saving = try await run("plan", "fault-matrix", "--text", "stale", "-o", plan)
        #expect(saving.status == 0, "\(saving.everything)")
        try await lab.must(on: "pg2", "echo moved >>/etc/drover-test/file-3")
        let stale = try await applySaved(plan)
        #expect(stale.status == 7)
        #expect(stale.errors.contains("pg2: file /etc/drover-test/file-3 has changed since the plan was saved"))
        #expect(!stale.errors.contains("pg1"))
        #expect(try await lab.must(on: "pg1", "cat /etc/drover-test/file-1") == "1 says base\n")
    }

    // MARK: Rollback

    @Test("rollback restores files and units, and a second one changes nothing")
    func rollback() async throws {
        for text in ["before", "after"] {
            let result = try await run("apply", "fault-matrix", "--yes", "--text", text)
            try #require(result.status == 0, "\(result.everything)")
        }
        try await lab.must(on: "pg1", "systemctl disable --quiet --now drover-test-4")
        let repair = try await run("apply", "fault-matrix", "--yes", "--text", "after", "--limit", "pg1")
        try #require(repair.status == 0, "\(repair.everything)")
        let undone = try await lab.program("rollback", "--yes")
        #expect(undone.status == 0, "\(undone.everything)")
        let state = "systemctl is-enabled drover-test-4; systemctl is-active drover-test-4; true"
        #expect(try await lab.must(on: "pg1", state) == "disabled\ninactive\n")

        let runs = try await lab.program("runs").output.linesOfOutput.map { $0.split(separator: " ").map(String.init) }
        #expect(runs.prefix(4).map { $0[1] } == ["PLAYBOOK", "rollback", "fault-matrix", "fault-matrix"])
        let named = try await lab.program("rollback", "--yes", runs[3][0])
        #expect(named.status == 0, "\(named.everything)")
        for host in ["pg1", "pg2"] {
            #expect(try await lab.must(on: host, "cat /etc/drover-test/file-1") == "1 says before\n")
            let read = "systemctl show --timestamp=us+utc -P ExecMainStartTimestamp drover-test-1"
            let isNewer =
                "[ $(date -d \"$(\(read))\" +%s%6N) -gt $(stat -c %.6Y /etc/drover-test/service-1 | tr -d .) ]"
            try await lab.must(on: host, isNewer)
        }
        let again = try await lab.program("rollback", "--yes", runs[3][0])
        expectNothingChanged(again)
        let steps = try await lab.program("runs", runs[1][0])
        #expect(steps.output.contains("✓ stop drover-test-4.service"), "\(steps.everything)")
    }

    @Test("Drover refuses the rollback of an unknown run")
    func unknownRun() async throws {
        let result = try await lab.program("rollback", "--yes", "20200101T000000Z-0000")
        #expect(result.status == 9)
        #expect(result.errors.contains("none of the hosts knows the run '20200101T000000Z-0000'"))
    }

    private func run(_ verb: String, _ name: String, _ options: String...) async throws -> Command {
        try await Command.run(lab.playbook(verb, name) + options)
    }

    private func applySaved(_ plan: String) async throws -> Command {
        try await Command.run(lab.tests("apply", "--plan", plan))
    }
}
