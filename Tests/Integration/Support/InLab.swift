import Foundation
import Synchronization
import Testing

/// Runs a suite in a lab of its own. Labs wait for daemons most of the time, so there are two at once; a suite that
/// measures has the machine for itself.
///
/// What fails names its lab, which `KEEP_LAB=1` keeps for whoever wants to look into it.
struct InLab: SuiteTrait, TestScoping {
    let hosts: Int
    let alone: Bool
    let isPrepared: Bool
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
        // The first one on a machine downloads and makes what its hosts are laid over, while the other seat waits for it.
        let options = isPrepared ? ["--prepared"] : []
        let up = try await Drover.run(["lab", "up", String(hosts), "--name", name] + options, seconds: 1200)
        try #require(up.status == 0, "\(up.everything)")
        let inventory = "/run/drover/lab/\(name)/inventory.yml"
        let text = try String(contentsOfFile: "\(Drover.checkout)/inventory/lab.yml", encoding: .utf8)
        try text.replacing("/run/drover/lab/lab/", with: "/run/drover/lab/\(name)/").replacing(
            ": lab-", with: ": \(name)-"
        )
        .write(toFile: inventory, atomically: true, encoding: .utf8)
        let lab = TestLab(name: name, inventory: inventory)
        try plainInventory(of: lab).write(toFile: lab.plainInventory, atomically: true, encoding: .utf8)
        return lab
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension SuiteTrait where Self == InLab {
    /// - Parameter isPrepared: whether the hosts have the packages of a cluster already, which saves each deployment half
    ///   of its time.
    static func lab(of hosts: Int, isPrepared: Bool = false, alone: Bool = false) -> InLab {
        InLab(hosts: hosts, alone: alone, isPrepared: isPrepared)
    }
}
