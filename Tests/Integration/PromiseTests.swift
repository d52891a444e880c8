import Foundation
import Subprocess
import Testing

/// The engine's promises on plain hosts, each with an attempt to break it.
@Suite("Promises", .serialized, .lab(of: 2, alone: true))
struct PromiseTests {
    private var lab: TestLab { TestLab.current }

    // MARK: One round trip

    @Test("two hundred converged resources cost one exchange, few bytes, programs and little processor time")
    func costs() async throws {
        let first = try await run("apply", "many-resources", "--yes")
        try #require(first.status == 0, "\(first.everything)")
        let trace = try await ProgramTrace.begin(on: "pg2", in: lab)
        let released = lab.inside(Drover.releasedTests) + ["apply", "many-resources", "-i", lab.plainInventory]
        let second = try await Command.run(released + ["--yes", "--stats"])
        let programs = try await trace.end()
        expectNothingChanged(second)
        let costs = try Costs(of: "pg2", in: second.output)
        #expect(costs["connections"] == 1)
        #expect(costs["exchanges"] == 1)
        #expect(try #require(costs["sent"]) < 64 * 1024)
        #expect(try #require(costs["forks"]) < 25)
        #expect(programs.count > 4)
        #expect(programs.count < 10, "\(programs)")
        let controller = try Costs(of: "controller", in: second.output)
        #expect(controller["resources"] == 2 * 200)
        var processorTimes = [try #require(controller["cpu"])]
        for _ in 1...4 {
            let again = try await Command.run(released + ["--yes", "--stats"])
            processorTimes.append(try #require(Costs(of: "controller", in: again.output)["cpu"]))
        }
        // What else the machine does makes a run dearer, but none of five is cheaper than it is.
        let best = try #require(processorTimes.min())
        #expect(Double(best) / (2 * 200) < Self.processorLimit, "\(processorTimes)")
    }

    /// Milliseconds of the controller's processor time for a resource, logins included.
    private static let processorLimit = 0.2

    // MARK: Scale

    @Test("ten thousand hosts are read in 150 ms of processor time", arguments: ["ini", "yml"])
    func manyHosts(form: String) async throws {
        let numbers = 0..<10_000
        let lines = numbers.map { number in
            let address = "10.1.\(number / 250).\(number % 250)"
            return form == "ini"
                ? "web\(number) ansible_host=\(address) rack=\(number % 40)\n"
                : "    web\(number): { ansible_host: \(address), rack: \(number % 40) }\n"
        }
        let file = "\(lab.folder)/many.\(form)"
        let text = (form == "ini" ? "[web]\n" : "web:\n  hosts:\n") + lines.joined()
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let command = [Drover.released, "inventory", "-i", file, "--host", "web9999"]
        var costs: [Resources] = []
        for _ in 1...5 {
            let (result, cost) = try await Resources.measure(command)
            try #require(result.output.contains("10.1.39.249"), "\(result.everything)")
            costs.append(cost)
        }
        // What else the machine does makes a run longer, but none of five is quicker than it is.
        #expect(try #require(costs.map(\.processorSeconds).min()) < 0.15, "\(costs)")
    }

    @Test("two hundred connections at once, for less than 150 KB each, although sshd takes few at a time")
    func manyConnections() async throws {
        func inventory(_ count: Int) throws -> String {
            let hosts = (1...count).map { "    web\($0): { ansible_host: 10.70.0.\(11 + $0 % 2) }\n" }
            let plain = try String(contentsOfFile: lab.plainInventory, encoding: .utf8)
            let text = try #require(plain.split(separator: "  children:").first) + "  hosts:\n" + hosts.joined()
            let file = "\(lab.folder)/connections-\(count).yml"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return file
        }
        let startups = try await lab.must(on: "pg1", "sshd -T | grep -i '^maxstartups'")
        #expect(startups == "maxstartups 10:30:100\n")
        var sizes: [Int: Int] = [:]
        for count in [2, 200] {
            let command = lab.inside(Drover.released) + ["ping", "-i", try inventory(count), "--json"]
            let (result, cost) = try await Resources.measure(command + ["--parallel", "200"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.linesOfOutput.count { $0.contains(#""status":"ok""#) } == count)
            sizes[count] = cost.kilobytes
        }
        let (few, many) = (try #require(sizes[2]), try #require(sizes[200]))
        #expect((many - few) / 198 < 150, "\(sizes)")
    }

    // MARK: The plan cannot lie

    @Test("a resource whose step does not do what it says is found, and named")
    func liar() async throws {
        let result = try await run("apply", "liar", "--yes")
        #expect(result.status == 8)
        #expect(result.output.contains("lie /etc/drover-lie"))
        let again = try await run("plan", "liar", "--detailed-exitcode")
        #expect(again.status == 2)
        #expect(Steps.planned(in: again.output) == ["pg1: write /etc/drover-lie", "pg2: write /etc/drover-lie"])
    }

    @Test("what was true and is untrue for a moment is waited for, and not told to be unlike what was declared")
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

    @Test("what a play has done besides is seen by every later one")
    func sideEffect() async throws {
        let plan = try await run("plan", "side-effect")
        #expect(Steps.planned(in: plan.output).count == 4, "\(plan.everything)")
        let result = try await run("apply", "side-effect", "--yes")
        #expect(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output) == ["pg1: make /run/drover-cause", "pg2: make /run/drover-cause"])
    }

    // MARK: Saved plans

    @Test("a saved plan is carried out exactly, once")
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

    @Test("a saved plan is refused when a host has moved, and names it and the resource; nothing is touched")
    func stalePlan() async throws {
        let plan = "\(lab.folder)/stale.json"
        let saving = try await run("plan", "fault-matrix", "--text", "stale", "-o", plan)
        #expect(saving.status == 0, "\(saving.everything)")
        try await lab.must(on: "pg2", "echo moved >>/etc/drover-test/file-3")
        let stale = try await applySaved(plan)
        #expect(stale.status == 7)
        #expect(stale.errors.contains("pg2: file /etc/drover-test/file-3 has changed since the plan was saved"))
        #expect(!stale.errors.contains("pg1"))
        #expect(try await lab.must(on: "pg1", "cat /etc/drover-test/file-1") == "1 says saved\n")
    }

    // MARK: Rollback

    @Test("rollback brings back files and units, and a second one changes nothing")
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

    @Test("rollback of a run that nobody knows is refused")
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

/// The numbers in one line of what `--stats` prints.
struct Costs {
    private let numbers: [String: Int]

    init(of name: String, in output: String) throws {
        let line = try #require(output.linesOfOutput.last { $0.hasPrefix("\(name)  ") && $0.contains("=") })
        numbers = Dictionary(
            line.split(separator: " ").dropFirst().compactMap { word in
                let parts = word.split(separator: "=")
                return parts.count == 2 ? (String(parts[0]), Int(parts[1].prefix(while: \.isNumber)) ?? .max) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ name: String) -> Int? { numbers[name] }
}
