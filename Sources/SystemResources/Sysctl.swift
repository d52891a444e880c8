public import Engine
import Secrets

/// Ensures that a kernel parameter has a value, now and after the next boot.
///
///     Sysctl("net.core.somaxconn", "4096")
public struct Sysctl: Resource {
    private let parameter: String
    private let value: String

    /// - Parameters:
    ///   - parameter: the name with dots: `net.ipv4.ip_local_port_range`.
    ///   - value: its fields separated by single spaces.
    public init(_ parameter: String, _ value: String) {
        self.parameter = parameter
        self.value = value
    }

    public var name: String { "sysctl \(parameter)" }

    private var file: File {
        File("/etc/sysctl.d/90-drover-\(parameter).conf", containing: MaskedText("\(parameter) = \(value)\n"))
    }

    private var path: String { "/proc/sys/" + parameter.split(separator: ".").joined(separator: "/") }

    /// The kernel separates fields by tabs. The live value is asked for as the content of a file, so that what reads
    /// all files reads it too: the shell's own `read` takes a byte at a time, and the kernel gives it only the first.
    private var live: FileContent {
        FileContent(path, expected: value.split(separator: " ").joined(separator: "\t") + "\n")
    }

    public var questions: [any Fact] { file.questions + [live, FileAccess(path)] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try file.changes(given: facts, after: pending)
        if let current = try otherValue(given: facts), try facts[FileAccess(path)] {
            changes.append(setting("\(current) → \(value)"))
        } else if try facts[live] == .absent, pending.writesFile(under: KernelModule.sign(of: "")) {
            // A module that is about to be loaded may bring it.
            changes.append(setting("→ \(value)"))
        }
        return changes
    }

    private func setting(_ values: String) -> Change {
        Change(
            "set sysctl \(parameter) \(values)",
            script: "sysctl --quiet --write \(quoting: "\(parameter)=\(value)")")
    }

    public func notices(given facts: Facts) throws -> [String] {
        if try facts[live] == .absent { return ["the kernel has no parameter \(parameter)"] }
        guard let current = try otherValue(given: facts), try !facts[FileAccess(path)] else { return [] }
        return ["\(parameter) stays \(current): it is read-only on this host, as in a container"]
    }

    /// The live value when it is another one, its fields separated by single spaces.
    private func otherValue(given facts: Facts) throws -> String? {
        guard case .different(let content) = try facts[live] else { return nil }
        let current = content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return current == value ? nil : current
    }
}
