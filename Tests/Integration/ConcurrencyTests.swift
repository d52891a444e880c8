import Subprocess
import Testing

/// Several bare hosts, several runs at once, strategies of plays, and Ctrl-C.
@Suite("Concurrency", .lab(of: 3))
struct ConcurrencyTests {
    private var lab: TestLab { TestLab.current }

    // MARK: Two runs

    @Test("of two runs at once the second is refused, and one that waits works afterwards")
    func lock() async throws {
        let first = try await RunningProgram.run(pace("--slow", "pg2", "--text", "lock")) { line, _ in
            guard line.contains("✓ pg1: mark /run/drover-first-lock") else { return }
            let refused = try await Command.run(pace("--text", "other"))
            #expect(refused.status == 6, "\(refused.everything)")
            let words = #/pg1 pg2 pg3: another run is at work on the host: root@\S+ pid [0-9]+ since 20\S+Z; /#
            #expect(refused.errors.contains(words), "\(refused.errors)")
            let looking = try await Command.run(lab.playbook("plan", "pace"))
            #expect(looking.status == 0, "looking needs no lock: \(looking.everything)")
            let waited = try await RunningProgram.run(pace("--text", "waited", "--wait")) { line, _ in
                if line.contains("pg2: waits: another run is at work on the host") { try await openGate("lock") }
            }
            #expect(waited.status == 0, "\(waited.everything)")
        }
        #expect(first.status == 0, "\(first.everything)")
        let left = try await lab.must(on: "pg2", "ls /run/drover-first-* /run/drover-second-*")
        #expect(left.linesOfOutput.count == 4)
    }

    @Test("a killed run leaves no lock and no process")
    func deadRun() async throws {
        let dead = try await RunningProgram.run(pace("--slow", "pg2", "--text", "dead")) { line, program in
            guard line.contains("✓ pg1: mark /run/drover-first-dead") else { return }
            try await gateStands("dead")
            try program.send(.kill)
        }
        #expect(dead.status == 137)
        let next = try await Command.run(pace("--text", "next"))
        #expect(next.status == 0, "\(next.everything)")
        #expect(try await lab.must(on: "pg2", "ps -eo args | grep -c '^cat /run/drover-gate' || true") == "0\n")
    }

    // MARK: Strategies

    @Test("a slow host delays no other host without a barrier")
    func free() async throws {
        var waiting: Set = ["pg1", "pg3"]
        let result = try await RunningProgram.run(pace("--slow", "pg2", "--text", "free")) { line, _ in
            let host = waiting.first { line.contains("✓ \($0): mark /run/drover-second-free") }
            if let host, waiting.remove(host) != nil, waiting.isEmpty { try await openGate("free") }
        }
        #expect(result.status == 0, "\(result.everything)")
        let order = result.output.linesOfOutput.filter { $0.hasPrefix("  ✓ ") }
        let slow = try #require(order.firstIndex { $0.contains("pg2: mark /run/drover-first-free") })
        for host in ["pg1", "pg3"] {
            let second = try #require(order.firstIndex { $0.contains("\(host): mark /run/drover-second-free") })
            #expect(second < slow, "\(result.output)")
        }
    }

    @Test("no host passes a barrier before the others, and a host that fails stops the plays after it")
    func barrier() async throws {
        let result = try await Command.run(pace("--barrier", "--failing", "pg2", "--text", "barrier"))
        #expect(result.status == 3)
        #expect(Steps.applied(in: result.output) == marks("first", "barrier", ["pg1", "pg3"]))
        #expect(result.output.contains("pg2  ok=0  changed=0  unreachable=0  failed=1  skipped=1"))
    }

    @Test("the other hosts continue within the failure budget", arguments: ["1", "34%"])
    func budget(budget: String) async throws {
        let text = "budget\(budget.count)"
        let result = try await Command.run(
            pace("--barrier", "--failing", "pg2", "--text", text, "--max-failures", budget))
        #expect(result.status == 3)
        #expect(
            Steps.applied(in: result.output)
                == marks("first", text, ["pg1", "pg3"]).union(marks("second", text, ["pg1", "pg3"])))
    }

    @Test("an unreachable host stops a run before its first change, unless the failure budget allows it")
    func deadHost() async throws {
        try await lab.fault("kill", "pg3")
        let plan = try await Command.run(lab.playbook("plan", "pace") + ["--text", "deadhost"])
        #expect(plan.status == 4, "\(plan.everything)")
        #expect(
            Steps.planned(in: plan.output)
                == marks("first", "deadhost", ["pg1", "pg2"]).union(marks("second", "deadhost", ["pg1", "pg2"])))
        for way in ["--limit 'all,!pg3'", "--max-failures 1"] {
            #expect(plan.output.contains(" apply pace ") && plan.output.contains(way), "\(plan.output)")
        }
        let refused = try await Command.run(pace("--text", "deadhost"))
        #expect(refused.status == 4, "\(refused.everything)")
        #expect(refused.errors.contains("pg3: "))
        #expect(Steps.applied(in: refused.output).isEmpty)
        let result = try await Command.run(pace("--text", "deadhost", "--max-failures", "1"))
        #expect(result.status == 4, "\(result.everything)")
        #expect(
            Steps.applied(in: result.output)
                == marks("first", "deadhost", ["pg1", "pg2"]).union(marks("second", "deadhost", ["pg1", "pg2"])))
        #expect(result.output.contains("pg3  ok=0  changed=0  unreachable=1"), "\(result.output)")
    }

    @Test("limit and tags select hosts and plays")
    func chosen() async throws {
        let limited = try await Command.run(pace("--text", "chosen", "--limit", "lab:!pg1", "--tags", "second"))
        #expect(limited.status == 0, "\(limited.everything)")
        #expect(Steps.applied(in: limited.output) == marks("second", "chosen", ["pg2", "pg3"]))
        let rest = try await Command.run(pace("--text", "chosen", "--limit", "pg2,pg3", "--skip-tags", "second"))
        #expect(Steps.applied(in: rest.output) == marks("first", "chosen", ["pg2", "pg3"]))
        let serial = try await Command.run(pace("--text", "chosen", "--parallel", "1"))
        #expect(serial.status == 0)
        #expect(
            Steps.applied(in: serial.output)
                == marks("first", "chosen", ["pg1"]).union(marks("second", "chosen", ["pg1"])))
    }

    @Test(
        "a selection that does not exist is wrong input",
        arguments: [
            (["--limit", "pg9"], "pg9"), (["--tags", "secnd"], "did you mean 'second'?"),
            (["--max-failures", "many"], "many"), (["--parallel", "0"], "--parallel 0"),
        ])
    func wrong(options: [String], expected: String) async throws {
        let result = try await Command.run(pace("--text", "wrong") + options)
        #expect(result.status == 1, "\(result.everything)")
        #expect(result.errors.contains(expected), "\(result.errors)")
    }

    // MARK: Ctrl-C

    @Test("Ctrl-C lets the running step end, starts no other, and reports that")
    func interrupted() async throws {
        let result = try await interrupt(text: "once", signals: 1)
        #expect(result.status == 130, "\(result.everything)")
        #expect(result.output.contains("✓ pg2: mark /run/drover-first-once"))
        #expect(!result.output.contains("✓ pg2: mark /run/drover-second-once"))
        #expect(result.output.contains("pg2  ok=0  changed=1  unreachable=0  failed=0  skipped=1"), "\(result.output)")
    }

    @Test("a second Ctrl-C ends the running step, and the journal of the host has it as interrupted")
    func interruptedTwice() async throws {
        let result = try await interrupt(text: "twice", signals: 2)
        #expect(result.status == 130, "\(result.everything)")
        #expect(!result.output.contains("✓ pg2: mark /run/drover-first-twice"))
        #expect(try await lab.must(on: "pg2", "ps -eo args | grep -c '^cat /run/drover-gate' || true") == "0\n")
        let runs = try await lab.program("runs")
        let newest = try #require(runs.output.linesOfOutput.dropFirst().first)
        #expect(newest.contains("interrupted"), "\(runs.output)")
    }

    private func interrupt(text: String, signals: Int) async throws -> Command {
        var left = signals
        return try await RunningProgram.run(pace("--slow", "pg2", "--text", text, "--barrier")) { line, program in
            let isFirst = left == signals && line.contains("✓ pg1: mark /run/drover-first-\(text)")
            let isStopping = line.contains("stopping: running steps end")
            if isStopping, left == 0, signals == 1 { try await openGate(text) }
            guard isFirst || isStopping && left > 0 && left < signals else { return }
            if isFirst { try await gateStands(text) }
            left -= 1
            try program.send(.interrupt)
        }
    }

    /// Waits until the slow step of the second host runs.
    private func gateStands(_ text: String) async throws {
        try await lab.must(on: "pg2", "until [ -p /run/drover-gate-\(text) ]; do sleep 0.05; done")
    }

    /// Lets the slow step of the second host end.
    private func openGate(_ text: String) async throws {
        try await gateStands(text)
        try await lab.must(on: "pg2", "echo >/run/drover-gate-\(text)")
    }

    private func pace(_ options: String...) -> [String] {
        lab.playbook("apply", "pace", "--yes") + options
    }

    private func marks(_ play: String, _ text: String, _ hosts: [String]) -> Set<String> {
        Set(hosts.map { "\($0): mark /run/drover-\(play)-\(text)" })
    }
}
