import Foundation
import Synchronization
import Testing

/// Runs a suite, or each of its tests, in a lab of its own. Labs wait for daemons most of the time, so there are two at once; a suite that
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
        /// They are the cluster of `inventory/lab.yml`, which is whole; those beyond it have its packages.
        case deployed
    }

    let hosts: Int
    let alone: Bool
    let beginning: Beginning
    private static let seats = Seats(2)

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let wanted = alone ? Self.seats.count : 1
        let number = await Self.seats.take(wanted)
        let name = "test\(ProcessInfo.processInfo.processIdentifier)n\(number)"
        let isKept = ProcessInfo.processInfo.environment["KEEP_LAB"] == "1"
        let failures = Mutex(0)
        let watch: IssueHandlingTrait = .compactMapIssues { issue in
            failures.withLock { $0 += 1 }
            var issue = issue
            issue.comments.append("in the lab '\(name)'\(isKept ? Self.way(into: name) : "; KEEP_LAB=1 keeps it")")
            return issue
        }
        let result = await Result {
            try await inLab(
                named: name, keptIf: { isKept && failures.withLock { $0 > 0 } },
                { try await watch.provideScope(for: test, testCase: testCase, performing: function) })
        }
        await Self.seats.leave(wanted)
        try result.get()
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
        named name: String, keptIf isKept: () -> Bool, _ function: @Sendable () async throws -> Void
    ) async throws {
        let lab = try await up(name)
        let result = await Result { try await TestLab.$current.withValue(lab, operation: function) }
        if isKept() { return try result.get() }
        let down = try await Drover.run("lab", "down", "--name", lab.name)
        #expect(down.status == 0, "\(down.everything)")
        try result.get()
    }

    private func plainInventory(of lab: TestLab) -> String {
        """
        all:
          vars:
            ansible_user: root
            ansible_ssh_private_key_file: \(lab.folder)/id_ed25519
            ansible_ssh_common_args: -o UserKnownHostsFile=\(lab.folder)/known_hosts
          children:
            lab:
              hosts:

        """ + (1...hosts).map { "        pg\($0): { ansible_host: 10.70.0.\(10 + $0) }\n" }.joined()
    }

    private func up(_ name: String) async throws -> TestLab {
        let lab: TestLab
        switch beginning {
        case .bare, .prepared:
            // The first one on a machine downloads and makes what its hosts are laid over, while the other seat waits for it.
            let options = beginning == .prepared ? ["--prepared"] : []
            try await Drover.lab(["up", String(hosts), "--name", name] + options, seconds: 1200)
            lab = TestLab(name: name, prefix: name)
            try lab.writeInventory()
        case .deployed:
            lab = TestLab(name: name, prefix: DeployedSnapshot.prefix)
            try await Drover.lab(["restore", try await DeployedSnapshot.shared.name, "--name", name])
            try await Drover.lab(["up", String(hosts), "--name", name])
            try lab.writeInventory()
            try await lab.eventually("the cluster of the snapshot is whole") { status in
                status.findings.isEmpty && status.members.allSatisfy { $0.lag == 0 || $0.role == "leader" }
            }
        }
        try plainInventory(of: lab).write(toFile: lab.plainInventory, atomically: true, encoding: .utf8)
        return lab
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Trait where Self == InLab {
    /// - Parameter isPrepared: whether the hosts have the packages of a cluster already, which saves each deployment half
    ///   of its time.
    static func lab(of hosts: Int, isPrepared: Bool = false, alone: Bool = false) -> InLab {
        InLab(hosts: hosts, alone: alone, beginning: isPrepared ? .prepared : .bare)
    }

    /// The cluster of `inventory/lab.yml` at work on pg1, pg2 and pg3, restored from a snapshot.
    static func deployedCluster(hosts: Int = 3) -> InLab {
        InLab(hosts: hosts, alone: false, beginning: .deployed)
    }
}
