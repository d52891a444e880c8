public import Drover
import Secrets

/// Ensures that a kernel parameter has a value, now and after the next boot.
public struct Sysctl: Resource {
    private let parameter: String
    private let value: String

    /// - Parameters:
    ///   - parameter: the name with dots: `net.ipv4.ip_nonlocal_bind`.
    ///   - value: its fields separated by single spaces.
    public init(_ parameter: String, _ value: String) {
        self.parameter = parameter
        self.value = value
    }

    public var name: String { "sysctl \(parameter)" }

    private var file: File {
        File("/etc/sysctl.d/90-drover-\(parameter).conf", containing: MaskedText("\(parameter) = \(value)\n"))
    }

    private var live: SysctlValue { SysctlValue(parameter) }

    public var questions: [any Fact] { file.questions + [live] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try file.changes(given: facts, after: pending)
        let now = try facts[live]
        if let current = now.value, current != value, now.isWritable {
            changes.append(
                Change(
                    "set sysctl \(parameter) \(current) → \(value)",
                    script: MaskedText("sysctl --quiet --write \(Shell.quote("\(parameter)=\(value)"))")))
        }
        return changes
    }

    public func notices(given facts: Facts) throws -> [String] {
        let now = try facts[live]
        if now.value == value || now.isWritable { return [] }
        guard let current = now.value else { return ["the kernel has no parameter \(parameter)"] }
        return ["\(parameter) stays \(current) until the next boot of a host that may set it: read-only here"]
    }
}
