import Diagnostics
import YAML

/// `ansible_group_priority`: of groups that are equally deep the one with the greater number wins.
///
/// Source: docs.ansible.com, "How we merge": it counts in the inventory itself, but not in `group_vars`.
struct GroupPriority {
    static let variable = "ansible_group_priority"

    let number: Int

    /// - Throws: a `Diagnostic` where it means nothing, or is no number.
    init(_ variable: Variable, isBeside: Bool = false) throws(Diagnostic) {
        guard case .group = variable.origin, !isBeside else {
            throw Diagnostic(
                "'\(Self.variable)' means nothing here", at: variable.location,
                remedy: "write it under the vars of a group, in the inventory itself")
        }
        do {
            number = try Int(yaml: variable.node)
        } catch {
            throw error as? Diagnostic ?? Diagnostic("\(error)", at: variable.node.location)
        }
    }
}
