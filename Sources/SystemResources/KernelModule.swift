public import Engine
import Secrets

/// Ensures that the kernel has a module, now and after the next boot.
///
///     KernelModule("softdog")
public struct KernelModule: Resource {
    private let module: String

    public init(_ module: String) {
        self.module = module
    }

    public var name: String { "kernel module \(module)" }

    /// What the kernel has when it has a module.
    static func sign(of module: String) -> String { "/sys/module/\(module)" }

    private var file: File {
        File("/etc/modules-load.d/drover-\(module).conf", containing: MaskedText(module + "\n"))
    }

    public var questions: [any Fact] { file.questions + [KernelModulePresence(module), Container.sign] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let changes = try file.changes(given: facts, after: pending)
        if try facts[KernelModulePresence(module)] { return changes }
        if try Container.isHost(facts) { return changes }
        return changes + [
            Change(
                "load kernel module \(module)", .create, script: "modprobe -- \(quoting: module)",
                effects: [.writes(Self.sign(of: module))])
        ]
    }

    public func notices(given facts: Facts) throws -> [String] {
        guard try Container.isHost(facts), try !facts[KernelModulePresence(module)] else { return [] }
        return ["the kernel has no module \(module), and this host is a container, which cannot load it"]
    }
}
