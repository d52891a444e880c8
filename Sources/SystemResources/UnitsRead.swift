public import Drover
import Secrets

/// Ensures that systemd reads again the installed units for which the play writes settings.
///
/// For a play that gives units settings, but starts none of them: a ``Service`` has its unit read by itself.
public struct UnitsRead: Resource {
    private let services: [String]

    /// - Parameter services: their names without `.service`.
    public init(_ services: [String]) {
        self.services = services
    }

    public var name: String { "units read \(services.joined(separator: " "))" }

    public var questions: [any Fact] { services.map { UnitStatus("\($0).service") } }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let outdated = try services.filter { service in
            let isInstalled = try !facts[UnitStatus("\(service).service")].unitFile.isEmpty
            return isInstalled && pending.writesFile(under: "/etc/systemd/system/\(service).service")
        }
        guard !outdated.isEmpty else { return [] }
        return [
            Change(
                "let systemd read the units of \(outdated.joined(separator: ", ")) again",
                script: "systemctl daemon-reload")
        ]
    }
}
