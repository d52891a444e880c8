import Diagnostics
import Inventory
import PostgresCluster

/// What becomes of the variables of an inventory, on one screen.
struct LintText {
    let review: VariableReview

    var lines: [String] {
        var lines: [String] = []
        if !review.understood.isEmpty { lines.append("understood: " + review.understood.joined(separator: " ")) }
        if !review.referred.isEmpty {
            lines.append("read by others: " + review.referred.joined(separator: " "))
        }
        lines += Self.grouped(review.agreeing).flatMap { ["agrees: \($0)"] + $1 }
        if !review.notes.isEmpty { lines += ["note:"] + review.notes.map { "  \($0)" } }
        return lines + complaints
    }

    /// What keeps a cluster from being made.
    var complaints: [String] {
        var lines = Self.grouped(review.unsupported).flatMap { ["not supported: \($0)"] + $1 }
        if !review.faults.isEmpty { lines += ["wrong:"] + "\(review.faults)".split(separator: "\n").map { "  \($0)" } }
        return lines
    }

    /// Those that have their reason in common stand together.
    private static func grouped(
        _ variables: [(variable: Variable, reason: String)]
    ) -> [(reason: String, places: [String])] {
        var reasons: [(reason: String, places: [String])] = []
        for (variable, reason) in variables {
            let place = "  \(variable.name) (\(variable.location))"
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].places.append(place)
            } else {
                reasons.append((reason, [place]))
            }
        }
        return reasons
    }

    /// Whether a cluster can be made of the inventory as it is.
    var isClean: Bool { review.unsupported.isEmpty && review.faults.isEmpty }
}
