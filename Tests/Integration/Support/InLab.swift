import Foundation
import Synchronization
import Testing

/// Runs each test in a lab of its own. Labs wait for daemons most of the time, so there are several at once; a test that
/// measures has the machine for itself.
///
/// What fails names its lab, which `KEEP_LAB=1` keeps for whoever wants to look into it.
struct InLab: SuiteTrait, TestTrait, TestScoping {
    /// What the hosts are at first.
    enum Beginning {
        /// What Debian's installation leaves.
        case bare
        /// They have the packages of a cluster.
        case prepared
        /// What a snapshot holds. Hosts beyond it have the packages of a cluster.
        case snapshot(LabSnapshot)
    }

    let hosts: Int
    let alone: Bool
    let beginning: Beginning
    /// Each test of a suite has a lab of its own.
    let isRecursive = true
    private static let seats = Seats(6)
    /// Whether the lab of a failed test stays, for people to look into it.
    static let keepsLabs = ProcessInfo.processInfo.environment["KEEP_LAB"] == "1"

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let number = await Self.seats.take(all: alone)
        let name = "test\(ProcessInfo.processInfo.processIdentifier)n\(number)"
        let failures = Mutex(0)
        let watch: IssueHandlingTrait = .compactMapIssues { issue in
            failures.withLock { $0 += 1 }
            var issue = issue
            issue.comments.append(
                "in the lab '\(name)'\(Self.keepsLabs ? Self.way(into: name) : "; KEEP_LAB=1 keeps it")")
            return issue
        }
        let began = ContinuousClock.now
        let ready = Mutex<String?>(nil)
        let result = await Result {
            try await inLab(
                named: name, keptIf: { hasThrown in Self.keepsLabs && (hasThrown || failures.withLock { $0 > 0 }) },
                {
                    ready.withLock { $0 = Self.seconds(since: began) }
                    try await watch.provideScope(for: test, testCase: testCase, performing: function)
                })
        }
        // The test framework's own times include the wait for a place.
        let beginning = ready.withLock { $0.map { "ready after \($0) s" } ?? "never ready" }
        print("lab time \(Self.seconds(since: began)) s, \(beginning): \(Self.name(of: test))")
        await Self.seats.leave(all: alone)
        try result.get()
    }

    private static func seconds(since began: ContinuousClock.Instant) -> String {
        let milliseconds = began.duration(to: .now) / .milliseconds(1)
        return (milliseconds / 1000).formatted(.number.precision(.fractionLength(1)))
    }

    private static func name(of test: Test) -> String {
        "\(test.sourceLocation.fileName): \(test.displayName ?? test.name)"
    }

    /// How to look into a lab that is kept.
    private static func way(into name: String) -> String {
        """
        , which is kept: 'drover lab exec --name \(name) -- ssh -i /run/drover/lab/\(name)/id_ed25519 \
        -o UserKnownHostsFile=/run/drover/lab/\(name)/known_hosts root@10.70.0.11' looks at pg1, \
        'drover lab down --name \(name)' removes it
        """
    }

    private func inLab(
        named name: String, keptIf isKept: (_ hasThrown: Bool) -> Bool, _ function: @Sendable () async throws -> Void
    ) async throws {
        let result = await Result {
            let lab = try await up(name)
            try await TestLab.$current.withValue(lab, operation: function)
        }
        let hasThrown = if case .failure = result { true } else { false }
        if isKept(hasThrown) { return try result.get() }
        let down = try await Drover.run("lab", "down", "--name", name)
        #expect(down.status == 0, "\(down.everything)")
        try result.get()
    }

    private func up(_ name: String) async throws -> TestLab {
        // The first lab on a machine downloads and makes what its hosts are laid over, while the others wait for it.
        switch beginning {
        case .bare, .prepared:
            let lab = TestLab(name: name)
            let options = if case .prepared = beginning { ["--prepared"] } else { [String]() }
            try await Drover.lab(lab.release.up(hosts, name) + options, seconds: 1200)
            try lab.writeInventories(hosts: hosts)
            return lab
        case .snapshot(let snapshot):
            let lab = TestLab(name: name, of: snapshot)
            try await Drover.lab(["restore", try await LabSnapshots.shared.name(of: snapshot), "--name", name])
            if hosts > snapshot.hosts { try await Drover.lab(["up", String(hosts), "--name", name]) }
            try lab.writeInventories(hosts: hosts)
            try await TestLab.$current.withValue(lab, operation: snapshot.settle)
            return lab
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Trait where Self == InLab {
    /// Bare hosts `pg1` to `pg<hosts>`.
    ///
    /// - Parameter isPrepared: whether the hosts have the packages of a cluster already, which saves each deployment half
    ///   of its time.
    static func lab(of hosts: Int, isPrepared: Bool = false, alone: Bool = false) -> InLab {
        InLab(hosts: hosts, alone: alone, beginning: isPrepared ? .prepared : .bare)
    }

    /// The hosts of a snapshot, restored for each test.
    ///
    /// - Parameter hosts: more than the snapshot has, if others are needed beside them.
    static func lab(from snapshot: LabSnapshot, hosts: Int? = nil, alone: Bool = false) -> InLab {
        InLab(hosts: hosts ?? snapshot.hosts, alone: alone, beginning: .snapshot(snapshot))
    }
}
