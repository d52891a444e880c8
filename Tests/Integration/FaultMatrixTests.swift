import Subprocess
import Synchronization
import Testing

/// At every step of a playbook, everything that may go wrong. The hosts take the cases in turn.
@Suite("Fault matrix", .lab(of: 6))
struct FaultMatrixTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = (1...6).map { "pg\($0)" }
    /// The steps that are due when the text is another one.
    private let steps = 30

    /// What is left to do, for all who do it.
    private final class Queue: Sendable {
        private let cases: Mutex<[Case]>

        init(_ cases: [Case]) {
            self.cases = Mutex(cases.reversed())
        }

        func next() -> Case? { cases.withLock { $0.popLast() } }
    }

    private enum Fault: String, CaseIterable {
        case killedController = "kill -9 of the controller"
        case cutCable = "the cable cut for ten seconds"
        case lostPower = "the host killed and started"
        case interrupted = "Ctrl-C"

        /// What the program that suffers it is to exit with: it survives what happens to the host.
        var status: Int {
            switch self {
            case .killedController: 137
            case .cutCable, .lostPower: 0
            case .interrupted: 130
            }
        }
    }

    private struct Case: Sendable {
        let number: Int
        let fault: Fault
        let step: Int

        var name: String { "\(fault.rawValue) at step \(step + 1)" }
        var text: String { "case \(number)" }
    }

    @Test("after each fault one more apply converges, and the next changes nothing", .timeLimit(.minutes(15)))
    func matrix() async throws {
        let base = try await Command.run(lab.playbook("apply", "fault-matrix", "--yes", "--text", "base"))
        try #require(base.status == 0, "\(base.everything)")
        let all = Fault.allCases.flatMap { fault in (0..<steps).map { (fault, $0) } }
        let cases = all.enumerated().map { Case(number: $0, fault: $1.0, step: $1.1) }
        let queue = Queue(cases)
        let failures = try await withThrowingTaskGroup(of: [String].self) { group in
            for host in hosts {
                group.addTask { [self] in
                    var failures: [String] = []
                    while let next = queue.next() {
                        failures += try await complaints(about: next, on: host).map { "\(next.name) on \(host): \($0)" }
                    }
                    return failures
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        print("fault matrix: \(cases.count) cases, \(failures.count) failures")
        #expect(failures == [])
    }

    /// Lets the fault happen, and looks at everything that must hold afterwards.
    private func complaints(about fault: Case, on host: String) async throws -> [String] {
        var complaints: [String] = []
        let faulty = try await suffer(fault, on: host)
        if faulty.status != fault.fault.status { complaints.append("exit \(faulty.status): \(faulty.everything)") }
        let again = try await apply(fault.text, on: host)
        if again.status != 0 { complaints.append("again: exit \(again.status): \(again.everything)") }
        let last = try await apply(fault.text, on: host)
        if last.status != 0 || !last.output.contains("  changed=0  unreachable=0  failed=0  skipped=0") {
            complaints.append("a last time: exit \(last.status): \(last.everything)")
        }
        let look = try await lab.shell(on: host, Self.look(for: fault.text))
        if look.status != 0 || !look.output.isEmpty { complaints.append("found: \(look.everything)") }
        return complaints
    }

    private func apply(_ text: String, on host: String) async throws -> Command {
        try await Command.run(lab.playbook("apply", "fault-matrix", "--yes", "--text", text, "--limit", host))
    }

    /// The step takes its time before it does something, and after it: the fault happens now before, now after.
    private func suffer(_ fault: Case, on host: String) async throws -> Command {
        var watch = StepWatch(step: fault.step)
        let command = lab.playbook(
            "apply", "fault-matrix", "--yes", "--text", fault.text, "--limit", host, "--slow", "\(fault.step)")
        return try await RunningProgram.run(command) { line, program in
            guard watch.isReached(by: line) else { return }
            if !fault.step.isMultiple(of: 2) { try await Task.sleep(for: .milliseconds(600)) }
            switch fault.fault {
            case .killedController: try program.send(.kill)
            case .interrupted: try program.send(.interrupt)
            case .lostPower:
                try await lab.fault("kill", host)
                try await lab.fault("start", host)
            case .cutCable:
                try await lab.fault("cut", host)
                // So long is the cable out: that is the fault.
                try await Task.sleep(for: .seconds(10))
                try await lab.fault("join", host)
            }
        }
    }

    /// Recognises in the program's output that a step is under way: those before it have ended.
    private struct StepWatch {
        let step: Int
        private var isApplying = false
        private var ended = 0
        private var isOver = false

        init(step: Int) {
            self.step = step
        }

        mutating func isReached(by line: String) -> Bool {
            // The plan names the play too, before its last line.
            if line.hasSuffix(" changes on 1 host.") { isApplying = true }
            guard isApplying, !isOver else { return false }
            if line.hasPrefix("  ✓ ") { ended += 1 }
            isOver = ended == step && (step > 0 || line == "What must finish")
            return isOver
        }
    }

    /// Prints whatever is not as it must be: a line that is missing or there twice, an old file, a service that has not
    /// read its file, and what a write leaves behind that did not come to its end.
    private static func look(for text: String) -> String {
        """
        cd /etc/drover-test
        for log in log-a log-b log-c log-d; do
            count=$(grep -cxF '\(text)' $log)
            [ "$count" = 1 ] || echo "$log has the line $count times"
        done
        for file in file-* service-*; do
            grep -q ' \(text)$' $file || echo "$file is old"
        done
        for number in 1 2 3 4; do
            case $number in 1 | 3) moment=ExecMainStartTimestamp ;; *) moment=StateChangeTimestamp ;; esac
            read=$(systemctl show --timestamp=us+utc --property=$moment --value drover-test-$number)
            [ "$(date -d "$read" +%s%6N)" -gt "$(stat -c %.6Y service-$number | tr -d .)" ] ||
                echo "drover-test-$number has not read its file"
            systemctl is-active --quiet drover-test-$number || echo "drover-test-$number is not active"
        done
        find /etc/drover-test /etc/systemd/system -name '*.drover.*'
        find /var/lib/drover -name new
        """
    }
}
