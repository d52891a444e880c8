import Diagnostics
import Inventory

extension RunOptions {
    /// - Throws: `Diagnostic` when they choose what the playbook does not have.
    func check(_ plays: [Play], on hosts: [Host]) throws {
        let known = plays.reduce(into: Set<String>()) { $0.formUnion($1.tags) }.subtracting([Play.always])
        for tag in tags.union(skippedTags).sorted() where !known.contains(tag) {
            let list = known.isEmpty ? "it has no tags" : "its tags are \(known.sorted().joined(separator: ", "))"
            throw Diagnostic(
                "no play of the playbook has the tag '\(tag)'",
                remedy: Suggestion.remedy(for: tag, among: known.sorted()) ?? list)
        }
        if !hosts.isEmpty, !hosts.contains(where: includes) {
            throw Diagnostic(
                "the limit leaves no host of the playbook",
                remedy: "its hosts are \(hosts.map(\.name).joined(separator: ", "))")
        }
    }

    /// - Throws: `Diagnostic` when they leave out a part of a playbook that must be carried out as a whole.
    func checkWhole(_ playbook: String) throws {
        let parts: [(option: String, isGiven: Bool)] = [
            ("--limit", limit != nil), ("--tags", !tags.isEmpty), ("--skip-tags", !skippedTags.isEmpty),
            ("--max-failures", failureBudget.map { $0 != .none } ?? false),
        ]
        if let part = parts.first(where: \.isGiven) {
            throw Diagnostic(
                "\(playbook) is carried out as a whole: \(part.option) would leave it half done",
                remedy: "leave that out")
        }
    }
}
