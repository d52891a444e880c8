import Diagnostics
import Inventory
import YAML

/// What becomes of a variable that a cluster does not read.
enum VariableVerdict {
    /// It asks for nothing that would not be done anyway; what is done.
    case agreeing(String)
    /// It asks for something else; why that is not done.
    case unsupported(String)
    /// Another variable or another playbook takes it.
    case known
    case unknown
}

extension Variables {
    func verdict(on variable: Variable) -> VariableVerdict {
        let isReferred = isReferred(variable.name)
        let isSlip = !ForeignVariables.isKnown(variable.name) && suggestion(for: variable.name) != nil
        guard let entry = isSlip ? nil : ForeignVariables.entry(for: variable.name) else {
            return isReferred ? .known : .unknown
        }
        if let part = entry.demand.part, !isOn(part) { return .agreeing(entry.reason) }
        // A value that another one overrides on every host asks for nothing, nor does one to which others only refer.
        let values = effectiveValues(of: variable)
        let isNothing = values.allSatisfy { value in
            value.faults.isEmpty ? entry.demand.isNothing(value.node) : entry.demand.isNothing(.anything)
        }
        if isNothing { return .agreeing(entry.reason) }
        return isReferred && !ForeignVariables.isKnown(variable.name) ? .known : .unsupported(entry.reason)
    }

    /// Whether a switch is on for any host. Its type is checked where it is read.
    private func isOn(_ name: String) -> Bool { values(of: name).contains { !$0.node.isOff } }

    /// Reports every unknown variable, and every foreign one that asks for something else.
    mutating func reportStrangers() {
        for variable in unasked {
            switch verdict(on: variable) {
            case .agreeing, .known: break
            case .unsupported(let reason):
                diagnostics.report(
                    "the variable '\(variable.name)' is not supported: \(reason)", at: variable.location,
                    remedy: "take it away, or leave it empty")
            case .unknown:
                diagnostics.report(
                    "unknown variable '\(variable.name)'", at: variable.location,
                    remedy: suggestion(for: variable.name))
            }
        }
    }
}

extension YAMLNode {
    /// A value that only a demand without conditions takes.
    fileprivate static let anything = YAMLNode(
        .scalar("\u{0}", plain: false), at: SourceLocation(file: "", line: 1, column: 1))
}
