import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Stopped service")
struct StoppedServiceTests {
    private static let rows: [(StoppedService, active: String, unitFile: String, commands: [String])] = [
        (StoppedService("cron"), "inactive", "disabled", []),
        (StoppedService("cron"), "failed", "static", []),
        (StoppedService("cron"), "inactive", "", []),
        (StoppedService("cron"), "inactive", "masked", []),
        (StoppedService("cron"), "active", "enabled", ["stop cron.service", "disable --quiet cron.service"]),
        (StoppedService("cron"), "activating", "disabled", ["stop cron.service"]),
        (StoppedService("cron", atBoot: .asBefore), "active", "enabled", ["stop cron.service"]),
        (StoppedService("cron", atBoot: .masked), "inactive", "enabled", ["mask --quiet cron.service"]),
        (StoppedService("cron", atBoot: .masked), "inactive", "masked", []),
        (StoppedService("cron", atBoot: .masked), "inactive", "masked-runtime", ["mask --quiet cron.service"]),
        (StoppedService("apt-daily.timer"), "active", "disabled", ["stop apt-daily.timer"]),
    ]

    @Test("is stopped, and stays so", arguments: rows)
    func decides(service: StoppedService, active: String, unitFile: String, commands: [String]) async throws {
        var facts = Facts()
        let unit = service.name == "stopped cron" ? "cron.service" : "apt-daily.timer"
        facts.record(.init(active: active, unitFile: unitFile), to: UnitStatus(unit))
        let changes = try service.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.isDisturbing) == commands.map { $0.hasPrefix("stop") })
        let run = try await HostShell.run(changes, with: ["systemctl": "echo \"$@\""])
        #expect(run.output.linesOfText == commands)
    }
}
