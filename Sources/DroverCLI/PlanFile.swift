import Diagnostics
import Engine
import FoundationEssentials

/// The file of a saved plan.
enum PlanFile {
    /// What stands on the command line after the playbook's name, without what is said of the file and of the output:
    /// what `apply` must know to do the same.
    static var arguments: [String] { arguments(of: Array(CommandLine.arguments.dropFirst(3))) }

    static func arguments(of words: [String]) -> [String] {
        var kept: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-o", "--output", "--report": _ = rest.popFirst()
            case "--detailed-exitcode", "--stats", "--diff", "--no-diff", "--json": break
            case _ where word.hasPrefix("--output=") || word.hasPrefix("--report="): break
            default: kept.append(word)
            }
        }
        return kept
    }

    static func write(_ plan: SavedPlan, to file: String) throws {
        do {
            try Data(plan.json.utf8).write(to: URL(filePath: file), options: .atomic)
        } catch let error as CocoaError {
            throw Diagnostic("the plan cannot be written to '\(file)'", remedy: "\(error)")
        }
    }

    static func read(_ file: String) throws -> SavedPlan {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Diagnostic("there is no saved plan '\(file)', or it cannot be read")
        }
        return try SavedPlan(json: String(decoding: data, as: UTF8.self), name: file)
    }
}
