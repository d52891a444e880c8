import ArgumentParser
import NIOPosix
import Testing

@testable import Engine
@testable import Inventory

/// Each fact of a host is asked for on this machine, without a login.
@Suite("Observer")
struct ObserverTests {
    /// What the plays are depends on an answer that has changed since it was given.
    private struct Follower: Playbook {
        static let name = "follower"
        static let abstract = "Ask what an answer shows to be worth asking."

        /// A host answers "new".
        static let sign = Printed(script: "printf new")

        func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

        func hosts(of hosts: [Host]) -> [Host] { hosts }

        func questions(of host: Host, in hosts: [Host]) -> [any Fact] { [Self.sign] }

        func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
            [
                Play("Follow", on: hosts) { host in
                    let answer = observed[host].ifKnown(Self.sign) ?? nil
                    Reading(fact: Echo(text: "asked after \(answer ?? "nothing")"))
                }
            ]
        }
    }

    /// A resource that decides by one fact.
    private struct Reading: Resource {
        let fact: Echo

        var name: String { "reading \(fact.text)" }
        var questions: [any Fact] { [fact] }

        func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
            _ = try facts[fact]
            return []
        }
    }

    private struct Silence: Reporter {
        func report(_ event: RunEvent) {}
    }

    private static let host: Host = {
        var host = Host.named("here")
        host.connection.isLocal = true
        return host
    }()

    /// Observes as a run does whose host has changed since it answered.
    private func observing<Value>(
        _ body: (Observer<Follower>, Observations) async throws -> Value
    ) async throws -> Value {
        let inventory = Inventory(file: "hosts.yml", hosts: [Self.host], groups: [], declaredVariables: [])
        let settings = ConnectionSettings(eventLoops: MultiThreadedEventLoopGroup.singleton)
        let run = try Run(Follower(), inventory: inventory, settings: settings, reporter: Silence())
        let context = RunContext(
            identity: .new(of: Follower.name), options: RunOptions(), settings: settings,
            interruption: Interruption(), reporter: Silence())
        let (sessions, _, failures) = await Sessions.open(
            [Self.host], context: context, asking: { _ in FactRequests() }, for: { _ in .observe })
        try #require(failures.isEmpty)
        var observed = Observations()
        observed[Self.host].record("old", to: Follower.sign)
        observed[Self.host].record("asked after old", to: Echo(text: "asked after old"))
        observed[Self.host].age()
        let value = await Result {
            try await body(
                Observer(run: run, context: context, sessions: sessions, hosts: [Self.host]), observed)
        }
        await sessions.close()
        return try value.get()
    }

    @Test("a play that is about to begin has all facts, also those that only newer answers make its resources ask for")
    func refresh() async throws {
        try await observing { observer, observed in
            var observed = observed
            observed[Self.host] = try await observer.refresh(Self.host, before: 0, given: observed)
            let play = try #require(try observer.plays(given: observed).first)
            let plan = try HostPlan(for: play.resources(on: Self.host), on: Self.host, given: observed[Self.host])
            #expect(plan.steps.isEmpty)
        }
    }

    @Test("the last look has all facts, also those that only newer answers make the resources ask for")
    func verification() async throws {
        try await observing { observer, observed in
            let findings = try await observer.observeAgain(given: observed)
            #expect(findings.failures.isEmpty)
            let plan = try Plan(findings.declarations, observed: findings.observed, confirmation: nil)
            #expect(!plan.hasChanges)
        }
    }
}
