@testable import DroverTesting
import Testing

@Suite("Sample system")
struct SampleSystemTests {
    /// What authors write, with one import.
    private struct Baseline: HostsPlaybook {
        static let name = "baseline"
        static let abstract = "A playbook of somebody."

        @Option(help: "Megabytes.")
        var size = 50

        func plays(for inventory: Inventory) throws -> [Play] {
            [
                Play("Prepare", on: inventory.hosts) { host in
                    Packages(["curl"])
                    File("/etc/size", containing: "\(size)\n")
                    File("/etc/token", containing: "\(Secret("t"))\n", mode: 0o600)
                    User(login: "ann", groups: ["sudo"])
                    AuthorizedKeys(of: "ann", ["ssh-ed25519 AAAA ann"])
                    Service("cron", restartedBy: ["/etc/size"])
                }
            ]
        }
    }

    private func inventory() async throws -> Inventory { try await Inventory.load(["a,b"]) }

    @Test("a bare host gets everything")
    func bare() async throws {
        let plan = try await Plan.of(Baseline.parse([]), on: .bareDebian12, inventory: inventory())
        let changes = plan.changes(on: "a")
        #expect(changes.prefix(3) == ["install curl", "write /etc/size", "write /etc/token"])
        #expect(changes.contains("add user ann"))
        #expect(changes.last == "restart cron")
        #expect(plan.changes(on: "b") == changes)
        #expect(plan.changes(on: "c") == [])
    }

    @Test("what is as declared stays")
    func declared() async throws {
        let system = SampleSystem.bareDebian13.with(package: "curl").with(file: "/etc/size", containing: "50\n")
            .with(file: "/etc/token", containing: "t\n", mode: 0o600)
        let changes = try await Plan.of(Baseline.parse([]), on: system, inventory: inventory()).changes(on: "a")
        #expect(!changes.contains { $0.hasPrefix("write /etc/size") || $0 == "install curl" || $0 == "restart cron" })
        let bigger = try await Plan.of(Baseline.parse(["--size", "60"]), on: system, inventory: inventory())
        #expect(bigger.changes(on: "a").contains("write /etc/size"))
    }

    @Test("a fact of which nothing is said is an error, until it is said")
    func unanswered() throws {
        let fact = NftablesListing("web")
        var facts = Facts()
        #expect(throws: UnansweredFact.self) { try SampleSystem.bareDebian12.answer(fact, in: &facts) }
        try SampleSystem.bareDebian12.answering(fact, with: []).answer(fact, in: &facts)
        #expect(try facts[fact] == [])
    }
}
