import Engine
import TestSupport

@testable import SystemResources

/// Observes this machine, and carries out what a resource wants of it.
enum ThisMachine {
    static func changes(of resource: some Resource, after pending: PendingEffects = .init()) async throws -> [Change] {
        var facts = Facts()
        for question in resource.questions { try await observe(question, into: &facts) }
        return try resource.changes(given: facts, after: pending)
    }

    /// Observes, and does what is to be done.
    static func ensure(_ resource: some Resource) async throws -> (ShellRun, changes: [Change]) {
        let changes = try await changes(of: resource)
        return (try await HostShell.run(changes), changes)
    }

    private static func observe<F: Fact>(_ question: F, into facts: inout Facts) async throws {
        try facts.read(await ShellRun.of(F.script(for: [question]).reveal()).output, for: [question])
    }
}
