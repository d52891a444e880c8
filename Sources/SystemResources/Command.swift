import Diagnostics
public import Engine
import Secrets

/// Ensures that a command has done its work, which a guard tells: another command that changes nothing, or a file.
///
/// The guard is asked like everything else of the host: a plan shows whether the command would run, and a command that has
/// run without satisfying its guard has failed. It is for what no other resource can do.
///
///     try Command("locale-gen", unless: "locale -a | grep -q '^de_DE.utf8$'")
public struct Command: Resource {
    /// By what it is known whether there is something to do.
    private enum Guard: Sendable {
        case unless(ShellText)
        case onlyIf(ShellText)
        case creates(String)
    }

    public let name: String
    private let script: ShellText
    private let condition: Guard
    private let writes: [String]
    private let starts: [String]

    /// Runs the command unless another one succeeds.
    ///
    /// - Parameters:
    ///   - script: the shell text, run under `set -e`. Its secrets are in no plan and in no list of processes.
    ///   - called: what people call it; its first line if nil.
    ///   - test: the shell text that ends with status 0 when there is nothing to do. It must change nothing. Commands that a
    ///     host does not have yet are failures.
    ///   - writes: the files that it writes: services that depend on one of them then know it, and what was in them is kept.
    ///   - starts: the units that it starts or restarts.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(
        _ script: ShellText, called: String? = nil, unless test: ShellText, writes: [String] = [],
        starts: [String] = []
    ) throws {
        try self.init(script, called, .unless(test), writes, starts)
    }

    /// Runs the command if another one succeeds, which it must no longer do afterwards. The parameters are those of
    /// ``init(_:called:unless:writes:starts:)``.
    public init(
        _ script: ShellText, called: String? = nil, onlyIf test: ShellText, writes: [String] = [],
        starts: [String] = []
    ) throws {
        try self.init(script, called, .onlyIf(test), writes, starts)
    }

    /// Runs the command if nothing stands at a path, which it makes. The other parameters are those of
    /// ``init(_:called:unless:writes:starts:)``.
    public init(
        _ script: ShellText, called: String? = nil, creates path: String, writes: [String] = [], starts: [String] = []
    ) throws {
        try self.init(script, called, .creates(path), [path] + writes, starts)
    }

    private init(
        _ script: ShellText, _ called: String?, _ condition: Guard, _ writes: [String], _ starts: [String]
    ) throws {
        self.name = "command \(called ?? script.masked.lines.first?.description ?? "")"
        self.script = script
        self.condition = condition
        self.writes = writes
        self.starts = starts
        for path in writes { try HostPath.check(path, of: name) }
        for unit in starts where !unit.contains(".") {
            throw Diagnostic("\(name): '\(unit)' is no name of a unit", remedy: "write '\(unit).service'")
        }
    }

    public var questions: [any Fact] {
        switch condition {
        case .unless(let test), .onlyIf(let test): [CommandSuccess(test)]
        case .creates(let path): [FileStatus(path)]
        }
    }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let isDone =
            switch condition {
            case .unless(let test): try facts[CommandSuccess(test)]
            case .onlyIf(let test): try !facts[CommandSuccess(test)]
            case .creates(let path): try facts[FileStatus(path)] != nil
            }
        if isDone { return [] }
        return [
            Change(
                "run \(name.dropFirst("command ".count))", script: orders,
                effects: writes.map(Effect.writes) + starts.map(Effect.starts), isDisturbing: !starts.isEmpty)
        ]
    }

    /// By `eval`, so that a word that makes no sense to the shell fails this step and not the whole run.
    private var orders: ShellText {
        let keeping: [ShellText] =
            writes.map { "keep \(quoting: $0)\n" } + starts.map { "keep_unit \(quoting: $0)\n" }
        return "\(keeping.joined())eval \(quoting: script)"
    }
}
