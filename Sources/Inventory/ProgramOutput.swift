import Diagnostics
import SystemPackage
import Subprocess
import YAML

/// What an executable inventory prints.
struct ProgramOutput {
    /// The program, as diagnostics name it.
    let file: String
    /// What `--list` prints.
    let list: String
    /// What `--host NAME` prints, by the name; empty when the list says it all.
    var hosts: [String: String] = [:]

    /// Enough for any inventory.
    private static let limit = 67_108_864

    /// Asks the program for the list, and for each host when the list has no `_meta`.
    ///
    /// - Throws: a `Diagnostic` when it cannot be run or fails.
    static func read(_ path: String) async throws(Diagnostic) -> ProgramOutput {
        let program = Executable.path(FilePath(path.contains("/") ? path : "./" + path))
        func run(_ arguments: [String]) async throws(Diagnostic) -> String {
            try await CommandOutput.of(
                program, arguments, called: "the inventory '\(path)' with \(arguments.joined(separator: " "))", at: nil,
                limit: limit)
        }
        var output = ProgramOutput(file: path, list: try await run(["--list"]))
        for name in ProgramOutputParser.hostsToAsk(output) { output.hosts[name] = try await run(["--host", name]) }
        return output
    }
}
