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
        case cutCable = "cut of the cable"
        case lostPower = "loss of power"
        case interrupted = "Ctrl-C"

        /// The exit status of the program: it survives the faults of the host.
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

    @Test("after each fault one more apply converges, and the next changes nothing")
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

    /// The step waits for the fault, in every second case after its work.
    private func suffer(_ fault: Case, on host: String) async throws -> Command {
        let when = fault.step.isMultiple(of: 2) ? [] : ["--late"]
        let command =
            lab.playbook(
                "apply", "fault-matrix", "--yes", "--text", fault.text, "--limit", host, "--waiting", "\(fault.step)")
            + when
        return try await RunningProgram.run(command) { line, program in
            guard line.hasSuffix(": waits for the fault") else { return }
            switch fault.fault {
            case .killedController: try program.send(.kill)
            case .interrupted: try program.send(.interrupt)
            case .lostPower:
                try await lab.fault("kill", host)
                try await lab.fault("start", host)
            case .cutCable:
                let limit = try await lab.sendingTimeouts(of: host) + Self.timeoutsOfCut
                try await lab.fault("cut", host)
                try await lab.awaitSendingTimeouts(limit, of: host)
                try await lab.fault("join", host)
            }
        }
    }

    /// How often the host sends the output of the step in vain, which it repeats after 0.2 s, 0.4 s, 0.8 s, and so on.
    private static let timeoutsOfCut = 4

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
