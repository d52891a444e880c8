import Foundation

/// The steps in what `plan` and `apply` print, each as `pg1: start etcd`.
enum Steps {
    /// A plan has each change once, after a sign, with two blanks before the hosts that it is for and before its owner.
    static func planned(in output: String) -> Set<String> {
        var steps: Set<String> = []
        for line in output.linesOfOutput
        where ["+", "~", "-", "↻", "■", "…"].contains(where: { line.hasPrefix("  \($0) ") }) {
            let parts = line.dropFirst(4).components(separatedBy: "  ")
            guard parts.count > 1 else { continue }
            for host in parts[1].split(separator: " ") { steps.insert("\(host): \(parts[0])") }
        }
        return steps
    }

    /// What an apply did but wait: whether something had to be waited for is a matter of when it was looked at.
    static func changed(in output: String) -> Set<String> {
        applied(in: output).filter { !$0.contains(": wait until ") }
    }

    /// A step that took long has its duration behind two blanks.
    static func applied(in output: String) -> Set<String> {
        Set(
            output.linesOfOutput.filter { $0.hasPrefix("  ✓ ") }.map { line in
                let text = line.dropFirst(4)
                return String(text[..<(text.range(of: "  ")?.lowerBound ?? text.endIndex)])
            })
    }
}

extension String {
    var linesOfOutput: [String] { split(separator: "\n").map(String.init) }
}
