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
            lines.append("understood where others refer to it: " + review.referred.joined(separator: " "))
        }
        // Those that have their reason in common stand together.
        var reasons: [(reason: String, places: [String])] = []
        for (variable, reason) in review.unsupported {
            let place = "  \(variable.name) (\(variable.location))"
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].places.append(place)
            } else {
                reasons.append((reason, [place]))
            }
        }
        for (reason, places) in reasons { lines += ["not supported: \(reason)"] + places }
        if !review.faults.isEmpty { lines += ["wrong:"] + "\(review.faults)".split(separator: "\n").map { "  \($0)" } }
        return lines
    }

    /// Whether a cluster can be made of the inventory as it is.
    var isClean: Bool { review.unsupported.isEmpty && review.faults.isEmpty }
}
